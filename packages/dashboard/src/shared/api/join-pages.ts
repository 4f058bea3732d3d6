import { isObject } from '@burgee/contract'

interface ReadPage<T> {
  readonly body: T
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined
}

/** Half a gigabyte: no browser holds more. */
export const PAGES_MAX = 32

/**
 * All pages of a list as one. Rejects where there are more than a browser holds: a part must not pass for the
 * whole.
 */
export async function readToEnd<T>(
  first: ReadPage<T>,
  readNext: (cursor: string) => Promise<ReadPage<T>>,
): Promise<T> {
  let { body, next } = first
  for (let pages = 1; next !== undefined; pages += 1) {
    if (pages === PAGES_MAX) {
      throw new Error('This list is too long to be shown as a whole. Read it over the API, page by page.')
    }
    const page = await readNext(next)
    body = joinPages(body, page.body)
    next = page.next
  }
  return body
}

/** A list, or a response that holds one, with the items of the next page. */
export function joinPages<T>(first: T, next: T): T {
  // Pages of one endpoint have one type: a list of both is of that type too.
  if (Array.isArray(first) && Array.isArray(next)) return [...first, ...next] as T
  if (!isObject(first) || !isObject(next)) return next
  const lists = Object.entries(first).filter(([, value]) => Array.isArray(value))
  return {
    ...first,
    ...Object.fromEntries(lists.map(([name, value]) => [name, joinPages(value, next[name])])),
  }
}
