import { describe, expect, it } from 'vitest'
import { joinPages, PAGES_MAX, readToEnd } from '../../../src/shared/api/join-pages.ts'

describe('joining the pages of a list', () => {
  it('puts items of lists one behind the other', () => {
    expect(joinPages([1, 2], [3])).toEqual([1, 2, 3])
  })

  it('does so with the list that a response holds, and keeps the rest', () => {
    const first = { source: 'a', target: 'b', flags: [{ key: 'x' }] }
    const next = { source: 'a', target: 'b', flags: [{ key: 'y' }] }
    expect(joinPages(first, next)).toEqual({ ...first, flags: [{ key: 'x' }, { key: 'y' }] })
  })
})

describe('reading a list to its end', () => {
  /** A list of so many pages, each with its number. */
  const pages = (count: number) => {
    const read = async (cursor: string) => {
      const page = Number(cursor)
      return { body: [page], next: page < count ? String(page + 1) : undefined }
    }
    return { first: { body: [1], next: count > 1 ? '2' : undefined }, read }
  }

  it.each([1, 2, PAGES_MAX])('gives all of %i pages', async (count) => {
    const { first, read } = pages(count)
    expect(await readToEnd(first, read)).toEqual(Array.from({ length: count }, (_, index) => index + 1))
  })

  it('refuses a list that is longer than a browser holds, and gives no part of it', async () => {
    const { first, read } = pages(PAGES_MAX + 1)
    await expect(readToEnd(first, read)).rejects.toThrow('too long to be shown as a whole')
  })
})
