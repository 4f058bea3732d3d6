import type { SdkKey } from '@burgee/contract'
import { expect, test } from 'vitest'
import {
  describeParent,
  findDescendants,
  findOrphans,
} from '../../../src/features/project-settings/keys/key-tree.ts'

const key = (id: number, parent_id: number | null): SdkKey => ({
  id,
  parent_id,
  name: `Key ${id}`,
  prefix: 'sk_live_abcd…',
  kind: 'server',
  environment_id: 'e',
  environment_name: 'Production',
  last_used_at: null,
  streams: 0,
  created_at: '2026-01-05T10:00:00.000Z',
})
const KEYS = [key(1, null), key(2, 1), key(3, 2), key(4, null), key(5, 1), key(6, 99)]

test('the descendants of a key are those that were created with it, and with those', () => {
  expect(findDescendants(KEYS, 1).map(({ id }) => id)).toEqual([2, 3, 5])
  expect(findDescendants([...KEYS].reverse(), 1).map(({ id }) => id)).toEqual([5, 3, 2])
  expect(findDescendants(KEYS, 3)).toEqual([])
})

test('a key states which one it was created with, also when that is revoked', () => {
  expect(KEYS.map((each) => describeParent(KEYS, each))).toEqual([
    null,
    'with the key Key 1',
    'with the key Key 2',
    null,
    'with the key Key 1',
    'with a revoked key',
  ])
})

test('keys of a revoked key are found by its id, each with what was created with it', () => {
  expect(findOrphans(KEYS.slice(0, 5))).toEqual([])
  const [five, six, seven, eight] = [key(5, 98), key(6, 99), key(7, 6), key(8, 99)]
  expect(findOrphans([key(1, null), five, six, seven, eight])).toEqual([
    { parent_id: 98, roots: [five], keys: [five] },
    { parent_id: 99, roots: [six, eight], keys: [six, seven, eight] },
  ])
})
