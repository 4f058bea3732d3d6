import { describeSegmentChange, KEY_MAX_LENGTH, type Segment } from '@burgee/contract'
import { expect, test } from 'vitest'
import {
  applyDraft,
  draftOf,
  findProblems,
  isChanged,
  patchOf,
} from '../../../src/features/segments/segment-draft.ts'

const segment: Segment = {
  id: 's',
  environment_id: 'e',
  name: 'Beta',
  key: 'beta',
  description: null,
  rules: [],
  revision: 1,
  created_at: '2026-01-01T00:00:00.000Z',
}

test('a draft that states the same patches nothing, blanks in the description included', () => {
  expect(isChanged(segment, { ...draftOf(segment), description: '  ' })).toBe(false)
})

test('a patch holds the changed fields alone; an emptied description is null', () => {
  const described = { ...segment, description: 'words' }
  const draft = { ...draftOf(described), key: 'early', description: '' }
  expect(patchOf(described, draft)).toEqual({ key: 'early', description: null })
})

test('a change of a segment is described in phrases', () => {
  const draft = {
    ...draftOf(segment),
    name: 'Early',
    rules: [{ attribute: 'country', operator: 'equals' as const, values: ['NO'] }],
  }
  expect(describeSegmentChange(segment, applyDraft(segment, draft))).toEqual([
    'name "Beta" -> "Early"',
    'rule 1 added: country is NO',
  ])
})

test('names and keys are validated before the request', () => {
  expect(findProblems({ name: ' ', key: 'two words' }, [])).toHaveProperty('/name')
  expect(findProblems({ name: 'x', key: 'two words' }, [])).toHaveProperty('/key')
  expect(findProblems({ name: 'x', key: 'x'.repeat(KEY_MAX_LENGTH + 1) }, [])).toHaveProperty('/key')
  expect(findProblems({ name: 'x', key: 'taken' }, ['taken'])).toHaveProperty('/key')
  expect(findProblems({ name: 'x', key: 'free' }, ['taken'])).toEqual({})
})
