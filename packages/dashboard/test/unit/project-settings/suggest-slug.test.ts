import { ENVIRONMENT_SLUG_MAX_LENGTH, ENVIRONMENT_SLUG_PATTERN } from '@burgee/contract'
import { expect, test } from 'vitest'
import { suggestSlug } from '../../../src/features/project-settings/environments/suggest-slug.ts'

test.each([
  ['Load test (EU)', 'load-test-eu'],
  ['  Préprod  ', 'preprod'],
  ['QA_2', 'qa-2'],
  ['環境', ''],
])('%s becomes %s', (name, slug) => {
  expect(suggestSlug(name)).toBe(slug)
})

test('a long name gives a slug that the server takes', () => {
  const slug = suggestSlug('a b '.repeat(100))

  expect(slug.length).toBeLessThanOrEqual(ENVIRONMENT_SLUG_MAX_LENGTH)
  expect(slug).toMatch(new RegExp(ENVIRONMENT_SLUG_PATTERN))
  expect(slug).not.toMatch(/-$/)
})
