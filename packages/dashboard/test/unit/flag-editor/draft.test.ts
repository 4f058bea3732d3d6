import type { Flag } from '@burgee/contract'
import { expect, test } from 'vitest'
import {
  applyDraft,
  changedFields,
  draftOf,
  patchOf,
  rebaseDraft,
} from '../../../src/features/flags/editor/draft.ts'
import { aFlag } from '../a-flag.ts'

const aPrice = (fields: Partial<Flag> = {}): Flag =>
  aFlag({
    key: 'price',
    flag_type: 'json',
    default_value: { amount: 40, currency: 'NOK' },
    disabled_value: null,
    ...fields,
  })

test('the patch holds the changed fields and nothing else', () => {
  const flag = aPrice({ tags: ['checkout'] })

  expect(patchOf(flag, draftOf(flag))).toEqual({})
  expect(patchOf(flag, { ...draftOf(flag), rollout_percentage: 25, tags: [] })).toEqual({
    rollout_percentage: 25,
    tags: [],
  })
})

test('null takes a field back: the rollout to everyone, the owner to none', () => {
  const flag = aPrice({ rollout_percentage: 25, owner_email: 'ada@example.com' })

  expect(patchOf(flag, { ...draftOf(flag), rollout_percentage: null, owner_email: null })).toEqual({
    rollout_percentage: null,
    owner_email: null,
  })
})

test('a JSON value is patched field by field, since a merge patch merges objects', () => {
  const flag = aPrice()

  expect(patchOf(flag, { ...draftOf(flag), default_value: { amount: 50 } })).toEqual({
    default_value: { amount: 50, currency: null },
  })
})

test('a new null inside an object is more than a merge patch can express; one that is there already is not', () => {
  const flag = aPrice({ default_value: { amount: null } })

  expect(patchOf(flag, { ...draftOf(flag), default_value: { amount: null, currency: null } })).toBeNull()
  expect(patchOf(flag, { ...draftOf(flag), default_value: { amount: null, currency: 'SEK' } })).toEqual({
    default_value: { currency: 'SEK' },
  })
  expect(patchOf(flag, { ...draftOf(flag), default_value: [{ amount: null }] })).toEqual({
    default_value: [{ amount: null }],
  })
})

test('the order of the fields of a JSON value is no change', () => {
  const flag = aPrice()

  expect(changedFields(flag, { ...draftOf(flag), default_value: { currency: 'NOK', amount: 40 } })).toEqual(
    [],
  )
})

test('my changes on top of theirs keep what they did elsewhere and name what both changed', () => {
  const base = aPrice()
  const theirs = aPrice({ rollout_percentage: 10, description: 'Theirs', is_enabled: false, revision: 2 })
  const mine = { ...draftOf(base), rollout_percentage: 25, tags: ['mine'], is_enabled: false }

  const { draft, clashes } = rebaseDraft(base, theirs, mine)

  expect(applyDraft(theirs, draft)).toEqual({
    ...theirs,
    rollout_percentage: 25,
    tags: ['mine'],
    description: 'Theirs',
  })
  expect(clashes).toEqual(['rollout_percentage'])
})
