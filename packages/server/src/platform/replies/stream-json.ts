import { Readable } from 'node:stream'

/**
 * Encodes a JSON list while it is sent, so that a long one is never in memory as a whole. `wrap` is the text
 * around it. When the reader stops, the source of items ends.
 */
export function streamJsonList(
  items: AsyncIterable<unknown> | Iterable<unknown>,
  wrap: { readonly before: string; readonly after: string } = { before: '', after: '' },
): Readable {
  return Readable.from(encode(items, wrap))
}

async function* encode(
  items: AsyncIterable<unknown> | Iterable<unknown>,
  { after, before }: { readonly before: string; readonly after: string },
): AsyncGenerator<string> {
  let separator = `${before}[`
  for await (const item of items) {
    yield separator + JSON.stringify(item)
    separator = ','
  }
  yield `${separator === ',' ? '' : separator}]${after}`
}

export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' } as const
