import { describe, expect, it } from 'vitest'
import {
  createKnownKeys,
  isSameVersion,
  type KnownKey,
} from '../../../../src/features/sdk-keys/known-keys.ts'
import type { SdkKeyActor } from '../../../../src/kernel/actor.ts'
import { aKeyActor } from '../../../harness/a-key-actor.ts'

const version = { generation: 0, access_revision: 1 }

const known = (of: SdkKeyActor, confirmedAtMs = 0): KnownKey => ({ actor: of, version, confirmedAtMs })

describe('known keys', () => {
  it('keep the actor object of a key that is looked up again, so that streams hold the same one', () => {
    const keys = createKnownKeys(10)
    const first = keys.remember('h', known(aKeyActor()))
    const second = keys.remember('h', known(aKeyActor(), 5))
    expect(second).toBe(first)
    expect(keys.get('h')).toMatchObject({ confirmedAtMs: 5 })
  })

  it.each([
    { key_id: 2 },
    { name: 'Other' },
    { key_kind: 'client' as const },
    { project_id: 'q' },
    { environment_id: 'f' },
    { mayManage: false },
    { createdBy: 7 },
    { isSeeded: true },
  ])('take a new actor when it is another one: %j', (over) => {
    const keys = createKnownKeys(10)
    keys.remember('h', known(aKeyActor()))
    expect(keys.remember('h', known(aKeyActor(over)))).toEqual(aKeyActor(over))
  })

  it('are bounded: the one that was looked up longest ago goes first', () => {
    const keys = createKnownKeys(2)
    keys.remember('a', known(aKeyActor({ key_id: 1 })))
    keys.remember('b', known(aKeyActor({ key_id: 2 })))
    keys.remember('a', known(aKeyActor({ key_id: 1 })))
    keys.remember('c', known(aKeyActor({ key_id: 3 })))
    expect(keys.entries().map(([hash]) => hash)).toEqual(['a', 'c'])
  })

  it('are forgotten when told so', () => {
    const keys = createKnownKeys(2)
    keys.remember('a', known(aKeyActor()))
    keys.forget('a')
    expect(keys.get('a')).toBeUndefined()
  })
})

describe('an access version', () => {
  it('is the same only while neither this instance nor the database tells of a change', () => {
    expect(isSameVersion(version, { generation: 0, access_revision: 1 })).toBe(true)
    expect(isSameVersion(version, { generation: 1, access_revision: 1 })).toBe(false)
    expect(isSameVersion(version, { generation: 0, access_revision: 2 })).toBe(false)
  })
})
