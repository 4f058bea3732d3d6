import { describe, expect, it } from 'vitest'
import { findUnsafeNumber } from '../../../src/json/find-unsafe-number.ts'

const UNSAFE = 2 ** 53
const DEPTH = 100_000

describe('a number beyond 2^53', () => {
  it.each([
    [UNSAFE, ''],
    [-UNSAFE, ''],
    [[1, [UNSAFE]], '/1/0'],
    [{ a: { b: [0, { c: UNSAFE }] }, d: -UNSAFE }, '/a/b/1/c'],
    [{ a: [], b: {}, c: null, d: 'x', e: true, f: UNSAFE }, '/f'],
    [JSON.parse(`{"__proto__":{"~/":${UNSAFE}}}`), '/__proto__/~0~1'],
  ])('is found with its place: %j', (value, path) => {
    expect(findUnsafeNumber(value)?.path).toBe(path)
  })

  it.each([[UNSAFE - 1], [[]], [{}], [null], ['9007199254740993'], [[[1], { a: -1.5 }, false]]])(
    'is not in %j',
    (value) => {
      expect(findUnsafeNumber(value)).toBeNull()
    },
  )

  it('is found however deep it is', () => {
    const deep = JSON.parse(`${'['.repeat(DEPTH)}${UNSAFE}${']'.repeat(DEPTH)}`)
    expect(findUnsafeNumber(deep)?.path).toBe('/0'.repeat(DEPTH))
  })
})
