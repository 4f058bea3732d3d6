import { describe, expect, it } from 'vitest'
import type { SdkKeyActor } from '../../../../src/kernel/actor.ts'
import {
  createKnownKeys,
  isSameVersion,
  type KnownKey,
} from '../../../../src/structure/sdk-keys/known-keys.ts'
import { aKeyActor } from '../../../harness/a-key-actor.ts'

const version = { generation: 0, access_revision: 1 }

const known = (of: SdkKeyActor, confirmedAtMs = 0): KnownKey => ({ actor: of, version, confirmedAtMs })

describe('known keys', () => {
  it('a key that is looked up again keeps its actor object, so that streams share it', () => {
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
  ])('a key gets a new actor when it has changed: %j', (over) => {
    const keys = createKnownKeys(10)
    keys.remember('h', known(aKeyActor()))
    expect(keys.remember('h', known(aKeyActor(over)))).toEqual(aKeyActor(over))
  })

  it('known keys are bounded: the least recently looked up is removed first', () => {
    const keys = createKnownKeys(2)
    keys.remember('a', known(aKeyActor({ key_id: 1 })))
    keys.remember('b', known(aKeyActor({ key_id: 2 })))
    keys.remember('a', known(aKeyActor({ key_id: 1 })))
    keys.remember('c', known(aKeyActor({ key_id: 3 })))
    expect(keys.entries().map(([hash]) => hash)).toEqual(['a', 'c'])
  })

  it('known keys can be cleared', () => {
    const keys = createKnownKeys(2)
    keys.remember('a', known(aKeyActor()))
    keys.forget('a')
    expect(keys.get('a')).toBeUndefined()
  })
})

describe('an access version', () => {
  it('access versions are equal only without a change in this instance and the database', () => {
    expect(isSameVersion(version, { generation: 0, access_revision: 1 })).toBe(true)
    expect(isSameVersion(version, { generation: 1, access_revision: 1 })).toBe(false)
    expect(isSameVersion(version, { generation: 0, access_revision: 2 })).toBe(false)
  })
})
