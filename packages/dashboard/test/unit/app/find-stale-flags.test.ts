import { expect, test } from 'vitest'
import { findStaleFlags, type KnownFlag } from '../../../src/app/live/find-stale-flags.ts'

const shown = (...flags: KnownFlag[]) => new Map(flags.map((flag) => [flag.key, flag]))
const flag = (key: string, revision: number, archived_at: string | null = null): KnownFlag => ({
  key,
  revision,
  archived_at,
})
const keysOf = (stale: readonly { key: string }[]) => stale.map(({ key }) => key)

test('a flag that the page shows as it is streamed, or newer, is not read again', () => {
  const streamed = new Map([
    ['a', 4],
    ['b', 7],
  ])
  expect(findStaleFlags(streamed, shown(flag('a', 4), flag('b', 8)), true)).toEqual([])
})

test('a flag that was changed by someone else is read again', () => {
  const stale = findStaleFlags(new Map([['a', 5]]), shown(flag('a', 4)), true)
  expect(keysOf(stale)).toEqual(['a'])
})

test('a flag that the page does not have is new where the page has the whole list, and is ignored elsewhere', () => {
  const streamed = new Map([['a', 5]])
  expect(keysOf(findStaleFlags(streamed, shown(), true))).toEqual(['a'])
  expect(findStaleFlags(streamed, shown(), false)).toEqual([])
})

test('a flag that left the stream is read again, since it is archived or deleted; an archived one was never in it', () => {
  const stale = findStaleFlags(new Map(), shown(flag('a', 4), flag('old', 2, '2026-01-02T03:04:05Z')), true)
  expect(keysOf(stale)).toEqual(['a'])
})

test('an archived flag that came back is read again', () => {
  const known = shown(flag('old', 2, '2026-01-02T03:04:05Z'))
  expect(keysOf(findStaleFlags(new Map([['old', 6]]), known, true))).toEqual(['old'])
})

test('the same difference has the same name, so that it is not read twice', () => {
  const [one] = findStaleFlags(new Map([['a', 5]]), shown(flag('a', 4)), true)
  const [again] = findStaleFlags(new Map([['a', 5]]), shown(flag('a', 4)), true)
  const [other] = findStaleFlags(new Map([['a', 6]]), shown(flag('a', 4)), true)
  expect(one?.difference).toBe(again?.difference)
  expect(one?.difference).not.toBe(other?.difference)
})
