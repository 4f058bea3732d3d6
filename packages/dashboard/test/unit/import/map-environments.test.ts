import { expect, test } from 'vitest'
import {
  findMappingProblem,
  findRepeatedName,
  suggestMapping,
} from '../../../src/features/import/map-environments.ts'

const target = (slug: string, name = slug) => ({ id: `id-${slug}`, name, slug })
const TARGETS = [target('production', 'Production'), target('staging', 'Staging'), target('development')]

test('environments of the files go to those of the same name or the same kind', () => {
  const mapping = suggestMapping(['prod', 'Staging', 'dev-eu', 'sandbox', 'constructor'], TARGETS)
  expect([...mapping]).toEqual([
    ['Staging', 'id-staging'],
    ['prod', 'id-production'],
    ['dev-eu', 'id-development'],
  ])
})

test('a name goes before a kind, and no environment is suggested twice', () => {
  expect([...suggestMapping(['prod-eu', 'production'], TARGETS)]).toEqual([['production', 'id-production']])
})

test('the only environment of the files is never suggested for Production', () => {
  expect([...suggestMapping(['production'], TARGETS)]).toEqual([])
  expect([...suggestMapping(['staging'], TARGETS)]).toEqual([['staging', 'id-staging']])
})

test('an import needs one target for each environment, and a name for each of the files', () => {
  expect(findMappingProblem(new Map(), TARGETS)).toMatch(/at least one/)
  expect(findMappingProblem(new Map([['a', 'id-staging']]), TARGETS)).toBeNull()
  const twice = new Map([
    ['a', 'id-staging'],
    ['b', 'id-staging'],
  ])
  expect(findMappingProblem(twice, TARGETS)).toMatch(/into Staging/)
  expect(findRepeatedName(['a', 'b', 'a'])).toMatch(/“a”/)
  expect(findRepeatedName(['a', 'b'])).toBeNull()
})
