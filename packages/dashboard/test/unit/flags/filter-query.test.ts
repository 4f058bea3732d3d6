import { expect, test } from 'vitest'
import { FILTER_DEFAULTS } from '../../../src/features/flags/list/flag-filters.ts'
import { readQuery, writeQuery } from '../../../src/features/flags/list/saved/filter-query.ts'

const USUAL = { ...FILTER_DEFAULTS, sort: 'key' }

test('filters become a query and come back as they were', () => {
  const fields = { ...USUAL, q: 'a & b=c', tags: 'x%2Cy,z', state: 'on', starred: 'yes', sort: 'changed' }
  const query = writeQuery(fields)
  expect(query).toBe('q=a+%26+b%3Dc&tags=x%252Cy%2Cz&state=on&starred=yes&sort=changed')
  expect(readQuery(query)).toEqual(fields)
})

test('there is nothing to store where nothing narrows the list, or it is too long', () => {
  expect(writeQuery(USUAL)).toBe('')
  expect(writeQuery({ ...USUAL, sort: 'changed' })).toBe('')
  expect(writeQuery({ ...USUAL, q: 'a'.repeat(1001) })).toBe('')
})

test('fields that are unknown are ignored, and those that are missing are the usual ones', () => {
  expect(readQuery('state=off&colour=red')).toEqual({ ...USUAL, state: 'off' })
})
