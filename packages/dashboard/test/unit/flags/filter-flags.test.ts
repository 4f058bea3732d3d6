import type { Flag } from '@burgee/contract'
import { expect, test } from 'vitest'
import { filterFlags, listFlag } from '../../../src/features/flags/list/filter-flags.ts'
import {
  countFilters,
  FILTER_DEFAULTS,
  type FlagFilters,
  readFilters,
  writeTags,
} from '../../../src/features/flags/list/flag-filters.ts'
import { aFlag } from '../a-flag.ts'

const NO_FILTERS = readFilters(FILTER_DEFAULTS)
const FLAGS: readonly Flag[] = [
  aFlag({ key: 'new-checkout', description: 'One button instead of four', tags: ['checkout', 'ui'] }),
  aFlag({ key: 'old-banner', is_enabled: false, owner_email: 'Ada@example.com', flag_type: 'string' }),
  aFlag({ key: 'gone', archived_at: '2026-01-01T00:00:00.000Z', tags: ['checkout'] }),
]

test.each<[string, Partial<FlagFilters>, string[]]>([
  ['nothing but archived ones are left out', {}, ['new-checkout', 'old-banner']],
  ['the search looks into the key, regardless of upper and lower case', { q: 'CHECK' }, ['new-checkout']],
  ['the search looks into the description', { q: 'button' }, ['new-checkout']],
  ['the search looks into the owner', { q: 'ada' }, ['old-banner']],
  ['all words must occur', { q: 'button  new' }, ['new-checkout']],
  ['a word that is nowhere finds nothing', { q: 'new nowhere' }, []],
  ['a flag has all tags', { tags: ['checkout', 'ui'] }, ['new-checkout']],
  ['the owner is found regardless of upper and lower case', { owner: 'ada@EXAMPLE.com' }, ['old-banner']],
  ['only those that are on', { state: 'on' }, ['new-checkout']],
  ['only those that are off', { state: 'off' }, ['old-banner']],
  ['only those of a type', { type: 'string' }, ['old-banner']],
  ['only archived ones', { archived: 'archived' }, ['gone']],
  ['all of them', { archived: 'all' }, ['new-checkout', 'old-banner', 'gone']],
  ['filters narrow together', { archived: 'all', tags: ['checkout'], q: 'gone' }, ['gone']],
])('filters: %s', (_, filters, keys) => {
  const found = filterFlags(FLAGS.map(listFlag), { ...NO_FILTERS, ...filters })

  expect(found.map(({ key }) => key)).toEqual(keys)
})

test('tags survive the address, whatever they hold', () => {
  const tags = ['a,b', '100%', '%2C', 'tag with blanks', '🏳️']

  expect(readFilters({ ...FILTER_DEFAULTS, tags: writeTags(tags) }).tags).toEqual(tags)
})

test('what fits nothing in the address counts as left out', () => {
  const filters = readFilters({ ...FILTER_DEFAULTS, state: 'maybe', type: 'float', archived: 'never' })

  expect(filters).toEqual(NO_FILTERS)
  expect(countFilters(filters)).toBe(0)
})
