import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readContext } from '../../../server/src/serving/ofrep/read-context.ts'
import { userOf } from '../../src/user-of.ts'

it('takes the targeting key as the user key, and everything else as attributes', () => {
  expect(userOf({ targetingKey: 'ada', plan: 'pro', age: 36, beta: true, tags: ['a', 'b'] })).toEqual({
    userKey: 'ada',
    attributes: { plan: 'pro', age: 36, beta: true, tags: ['a', 'b'] },
  })
  expect(userOf({ targetingKey: 7 }).userKey).toBe('7')
  for (const targetingKey of [undefined, null, {}, true]) expect(userOf({ targetingKey }).userKey).toBeNull()
})

it('gives dates as RFC 3339, and leaves out invalid ones', () => {
  const since = new Date('2026-01-02T03:04:05Z')
  expect(userOf({ since, never: new Date('no date') }).attributes).toEqual({
    since: '2026-01-02T03:04:05.000Z',
  })
})

it('names attributes inside objects by their path to a depth of four', () => {
  const context = {
    'user.plan': 'own',
    user: { plan: 'inner', org: { team: { name: 'core', lead: { id: 1 } } } },
  }
  expect(userOf(context).attributes).toEqual({ 'user.plan': 'own', 'user.org.team.name': 'core' })
})

it('is not held by cycles, many attributes or names of prototypes', () => {
  const cycle: Record<string, unknown> = { name: 'loop' }
  cycle.self = cycle
  expect(Object.keys(userOf({ cycle }).attributes)).toEqual([
    'cycle.name',
    'cycle.self.name',
    'cycle.self.self.name',
  ])
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`a${index}`, index]))
  expect(Object.keys(userOf({ many, ...many }).attributes)).toHaveLength(1_000)
  const list: unknown[] = ['a']
  list.push(list, new Date(0), {})
  expect(userOf({ list }).attributes).toEqual({
    list: ['a', undefined, '1970-01-01T00:00:00.000Z', undefined],
  })
  expect(userOf({ long: new Array(100_000).fill(1) }).attributes.long).toHaveLength(1_000)
  const { attributes } = userOf(JSON.parse('{"__proto__": "x", "constructor": "y"}'))
  expect(Object.keys(attributes)).toEqual(['__proto__', 'constructor'])
})

it('has the attributes that OFREP reads from the same context', () => {
  const name = fc.constantFrom('a', 'b', 'a.b', 'b.a', 'a.b.a', '__proto__')
  const context = fc.dictionary(
    name,
    fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 5 }, fc.integer(), fc.string(), fc.dictionary(name, tie('value'))),
    })).value,
  )
  fc.assert(
    fc.property(context, (fields) => {
      const { attributes } = readContext({ context: fields })
      const scalars = Object.entries(attributes).filter(([, value]) => typeof value !== 'object')
      expect(Object.fromEntries(scalars)).toEqual({ ...userOf(fields).attributes })
    }),
  )
})
