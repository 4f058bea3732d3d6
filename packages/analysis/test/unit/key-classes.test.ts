import { createFlagSet } from '@burgee/evaluation'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeyClasses, pairsOf } from '../../src/index.ts'
import { typedFlags } from './typed-flags.ts'

const LIMITS = { paths: 60, time: 60_000 }
const KEYS = ['ann', 'an', 'bob', '', ...Array.from({ length: 12 }, (_, at) => `user-${at}`)]

/** Returns what a user can get, without the examples. */
function reached(...input: Parameters<typeof pairsOf>): string {
  const { pairs, why } = pairsOf(...input)
  return JSON.stringify([pairs.map(({ after, before }) => JSON.stringify([before, after])).sort(), why])
}

test('users of one class can get the same, before and after a change', () => {
  let shared = 0
  fc.assert(
    fc.property(typedFlags, typedFlags, (flags, changed) => {
      const [before, after] = [createFlagSet(flags), createFlagSet(changed)]
      const positions = new Map<string, number>()
      const classOf = createKeyClasses(before, after, 'a', positions)
      const known = new Map<string, string>()
      for (const userKey of [...KEYS, null]) {
        positions.clear()
        const name = userKey === null ? 'none' : classOf(userKey)
        if (name === null) continue
        const found = reached(before, after, 'a', userKey, LIMITS)
        if (known.has(name)) shared += 1
        expect(known.get(name) ?? found).toBe(found)
        known.set(name, found)
      }
    }),
    { numRuns: 10 },
  )
  expect(shared).toBeGreaterThan(10)
})
