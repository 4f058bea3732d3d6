import {
  ENVIRONMENT_SLUG_MAX_LENGTH,
  ENVIRONMENT_SLUG_PATTERN,
  KEY_MAX_LENGTH,
  KEY_PATTERN,
} from '@burgee/contract'
import { expect, test } from 'vitest'
import { suggestKey } from '../../../src/shared/forms/suggest-key.ts'

test.each([
  ['New checkout', 'new-checkout'],
  ['  One button, not four! ', 'one-button-not-four'],
  ["Don't ask Zoë", 'dont-ask-zoe'],
  ['Beta testers (EU)', 'beta-testers-eu'],
  ['Größere Knöpfe', 'grossere-knopfe'],
  ['QA_2', 'qa-2'],
  ['a description that goes on for much longer than any key should', 'a-description-that-goes-on-for-much'],
  ['x'.repeat(5_000), 'x'.repeat(40)],
])('%j becomes a key', (words, key) => {
  expect(suggestKey(words)).toBe(key)
  expect(key).toMatch(new RegExp(KEY_PATTERN))
  expect(key.length).toBeLessThanOrEqual(KEY_MAX_LENGTH)
})

test.each(['', '  ', '環境', '🏳️', '字 😀'])('nothing is suggested where no letter fits: %j', (words) => {
  expect(suggestKey(words)).toBe('')
})

test.each(['a b '.repeat(300), 'é'.repeat(5_000)])(
  'a slug of an environment is one that the server takes',
  (name) => {
    const slug = suggestKey(name, ENVIRONMENT_SLUG_MAX_LENGTH)

    expect(slug.length).toBeLessThanOrEqual(ENVIRONMENT_SLUG_MAX_LENGTH)
    expect(slug).toMatch(new RegExp(ENVIRONMENT_SLUG_PATTERN))
    expect(slug).not.toMatch(/-$/)
  },
)
