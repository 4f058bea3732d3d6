import { expect, test } from 'vitest'
import { draftOf } from '../../../src/features/flags/editor/draft.ts'
import { applyTyping, isStale, typeJson } from '../../../src/features/flags/editor/json-typing.ts'
import { aFlag } from '../a-flag.ts'

const before = draftOf(aFlag({ key: 'k', rollout_percentage: 10, tags: ['a'] }))
const typing = { text: '{}', from: before }

test('typing keeps what it began with, and ends where the text is the draft again', () => {
  const began = typeJson(null, '{', { text: '{}', draft: before })
  const later = { ...before, tags: ['b'] }

  expect(typeJson(began, '{{', { text: '{}', draft: later })?.from).toBe(before)
  expect(typeJson(began, '{}', { text: '{}', draft: later })).toBeNull()
})

test('what the text left alone stays as it has become meanwhile', () => {
  const now = { ...before, rollout_percentage: 80, tags: ['theirs'] }

  expect(isStale(typing, before)).toBe(false)
  expect(isStale(typing, now)).toBe(true)
  expect(applyTyping(typing, now, { ...before, tags: ['mine'] })).toEqual({
    ...before,
    rollout_percentage: 80,
    tags: ['mine'],
  })
})
