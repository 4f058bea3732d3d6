import { describe, expect, it } from 'vitest'
import { joinPages } from '../../../src/shared/api/join-pages.ts'

describe('joining the pages of a list', () => {
  it('puts items of lists one behind the other', () => {
    expect(joinPages([1, 2], [3])).toEqual([1, 2, 3])
  })

  it('does so with the list that an answer holds, and keeps the rest', () => {
    const first = { source: 'a', target: 'b', flags: [{ key: 'x' }] }
    const next = { source: 'a', target: 'b', flags: [{ key: 'y' }] }
    expect(joinPages(first, next)).toEqual({ ...first, flags: [{ key: 'x' }, { key: 'y' }] })
  })
})
