import { describe, expect, test } from 'vitest'
import { holds, isOfPair } from '../../../src/features/compare/drift-notes.ts'
import type { Behaviour } from '../../../src/features/compare/use-behaviours.ts'
import { describeBehaviour } from '../../../src/parts/flag-diff/describe-behaviour.ts'

const STAGING = { id: 'id-1', slug: 'staging' }
const PRODUCTION = { id: 'id-2', slug: 'production' }
const NAMES = { source: 'Production', target: 'Staging' }

describe('a note about drift', () => {
  test('is about two environments in either order, by slug or id', () => {
    const note = { source: 'staging', target: 'id-2' }
    expect(isOfPair(note, STAGING, PRODUCTION)).toBe(true)
    expect(isOfPair(note, PRODUCTION, STAGING)).toBe(true)
    expect(isOfPair(note, STAGING, { id: 'id-3', slug: 'development' })).toBe(false)
    expect(isOfPair(note, STAGING, STAGING)).toBe(false)
  })

  test('holds until its end', () => {
    expect(holds({ expires_at: null }, 0)).toBe(true)
    expect(holds({ expires_at: '2026-01-02T00:00:00Z' }, Date.parse('2026-01-01T00:00:00Z'))).toBe(true)
    expect(holds({ expires_at: '2026-01-02T00:00:00Z' }, Date.parse('2026-01-02T00:00:00Z'))).toBe(false)
  })
})

describe('the behaviour of a flag in two environments', () => {
  const flag = { key: 'a', status: 'different', changes: [] } satisfies Behaviour

  test('names a user who gets different results', () => {
    const example = {
      user_key: null,
      attributes: { plan: 'pro' },
      source: { value: false, enabled: false },
      target: { value: 'red', enabled: true },
    }
    expect(describeBehaviour({ ...flag, behaviour: 'different', example }, NAMES)).toBe(
      'An anonymous user with plan = “pro” gets “false” (off) in Production and “red” in Staging.',
    )
  })

  test('states what is not known, and nothing without a comparison', () => {
    const undecided = { ...flag, behaviour: 'undecided', why: 'it has too many cases' } as const
    expect(describeBehaviour(undecided, NAMES)).toBe(
      'Whether users get the same could not be decided: it has too many cases.',
    )
    expect(describeBehaviour({}, NAMES)).toBeNull()
  })
})
