import { expect, test } from 'vitest'
import { APPLY_FLAGS_MAX, BODY_MAX_BYTES, splitApply } from '../../src/index.ts'

const flag = (key: string, needs: readonly string[] = []) => ({
  key,
  prerequisites: needs.map((flag_key) => ({ flag_key })),
})

test('what fits into one call is one part, and nothing is none', () => {
  expect(splitApply([{ key: 's' }], [flag('a')])).toEqual([{ segments: [{ key: 's' }], flags: [flag('a')] }])
  expect(splitApply([], [])).toEqual([])
})

test('a flag comes after those that it needs, also in circles', () => {
  const flags = [
    flag('a', ['b', 'c']),
    flag('b', ['c']),
    flag('c'),
    flag('d', ['e']),
    flag('e', ['d', 'gone']),
  ]
  expect(splitApply([], flags)[0]?.flags.map(({ key }) => key)).toEqual(['c', 'b', 'a', 'e', 'd'])
})

test('a part has at most as many flags and bytes as one call takes, and each thing is in one part', () => {
  const many = Array.from({ length: 2 * APPLY_FLAGS_MAX + 1 }, (_, at) => flag(`flag-${at}`))
  expect(splitApply([], many).map(({ flags }) => flags.length)).toEqual([1000, 1000, 1])
  const large = Array.from({ length: 20 }, (_, at) => ({ ...flag(`flag-${at}`), text: 'ä'.repeat(100_000) }))
  const parts = splitApply(
    Array.from({ length: 500 }, (_, at) => ({ key: `segment-${at}` })),
    large,
  )
  expect(parts.flatMap(({ segments }) => segments)).toHaveLength(500)
  expect(parts.flatMap(({ flags }) => flags)).toHaveLength(20)
  for (const part of parts) expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(BODY_MAX_BYTES)
})
