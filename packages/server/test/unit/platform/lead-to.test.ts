import { expect, it } from 'vitest'
import { leadTo } from '../../../src/platform/lead-to.ts'

it('finds what refers to keys, directly or through others, also in circles', async () => {
  const references = new Map([
    ['a', ['b']],
    ['b', ['c', 'missing']],
    ['c', ['b']],
    ['d', ['a', 'a']],
    ['e', []],
  ])
  expect(await leadTo(['c'], references)).toEqual(new Set(['c', 'b', 'a', 'd']))
  expect(await leadTo(['missing', 'e'], references)).toEqual(new Set(['missing', 'e', 'b', 'a', 'c', 'd']))
  expect(await leadTo([], references)).toEqual(new Set())
})

it('reads each list of references once, however many lead to the same key', async () => {
  let reads = 0
  const keys = Array.from({ length: 300 }, (_, at) => `key-${at}`)
  const counted = function* () {
    for (const key of keys) {
      reads += 1
      yield key
    }
  }
  const leading = await leadTo(
    keys,
    keys.map((key) => [key, counted()] as const),
  )
  expect(leading.size).toBe(300)
  expect(reads).toBe(300 * 300)
})
