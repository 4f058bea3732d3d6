import { expect, test } from 'vitest'
import { assessRotation, describePrograms } from '../../../src/features/project-settings/keys/key-programs.ts'

const NOW_MS = Date.parse('2026-01-05T10:00:00.000Z')
const ago = (seconds: number) => new Date(NOW_MS - seconds * 1000).toISOString()

test('programs are counted in words', () => {
  expect([0, 1, 1200].map(describePrograms)).toEqual(['0 programs', '1 program', '1,200 programs'])
})

test('an old key is in use while it has streams, and free when no request came for four minutes', () => {
  const state = (streams: number, last_used_at: string | null) =>
    assessRotation({ streams, last_used_at }, NOW_MS)
  expect(state(2, ago(500))).toBe('in_use')
  expect(state(0, ago(239))).toBe('just_used')
  expect(state(0, ago(240))).toBe('free')
  expect(state(0, null)).toBe('free')
})
