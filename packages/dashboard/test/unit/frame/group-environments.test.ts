import type { Environment } from '@burgee/contract'
import { expect, test } from 'vitest'
import {
  groupEnvironments,
  orderEnvironments,
} from '../../../src/app/frame/environments/group-environments.ts'

const environment = (name: string): Environment =>
  // Only what the groups look at.
  ({ id: `id of ${name}`, name, slug: name.toLowerCase().replaceAll(' ', '-') }) as Environment

const MANY = [
  ...['Staging', 'eu-test', 'Production', 'us-test', 'EU-load', 'Development', 'us-load', 'QA', 'eu-qa'],
  ...['prod-eu'],
].map(environment)

const namesOf = (order: readonly string[], environments = MANY) =>
  groupEnvironments(environments, order).map((group) => [
    group.name,
    ...group.environments.map(({ name }) => name),
  ])

test('a few environments are one group, as they are', () => {
  expect(namesOf([], MANY.slice(0, 3))).toEqual([['', 'Staging', 'eu-test', 'Production']])
})

test('many environments are grouped: those of production, those with one first word, the rest', () => {
  expect(namesOf([])).toEqual([
    ['Production', 'Production', 'prod-eu'],
    ['eu', 'eu-test', 'EU-load', 'eu-qa'],
    ['us', 'us-test', 'us-load'],
    ['', 'Staging', 'Development', 'QA'],
  ])
})

test('an order of the person is kept, and environments that it does not name follow', () => {
  const order = ['id of QA', 'id of a deleted one', 'id of Production']
  expect(namesOf(order)[0]?.slice(0, 4)).toEqual(['', 'QA', 'Production', 'Staging'])
  expect(orderEnvironments(MANY, order)).toHaveLength(MANY.length)
})
