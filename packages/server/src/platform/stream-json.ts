import { Readable } from 'node:stream'

/**
 * A JSON list that is encoded as it is sent, so that a long one never stands in memory whole; `wrap` puts text around it.
 * Whoever stops reading ends what gives the items.
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
