import { expect, it } from 'vitest'
import { createPastFlags } from '../../src/insight/evaluate/past-flags.ts'
import type { WireFlag } from '../../src/kernel/wire-flag.ts'

const required = [{ flag_key: 'base', required_value: true }]
const flags = createPastFlags()
const add = (fields: object) => {
  const flag = { key: `flag-${[...flags.keys()].length}`, ...fields } as unknown as WireFlag
  flags.addText(flag.key, JSON.stringify(flag), null)
  return flag
}

it.each([
  ['none', { prerequisites: [] }],
  ['some', { prerequisites: required }],
  ['none, and a text that looks like some', { description: '"prerequisites":[{', prerequisites: [] }],
  ['some, and a text that looks like none', { description: '"prerequisites":[]', prerequisites: required }],
  ['some, after a value with an empty list', { value: { prerequisites: [] }, prerequisites: required }],
  ['some, before a value with an empty list', { prerequisites: required, value: { prerequisites: [] } }],
  ['none, and a value with some', { value: { prerequisites: required }, prerequisites: [] }],
])('the prerequisites of a stored flag are those of the flag: %s', (_, fields) => {
  const flag = add(fields)
  expect(flags.prerequisitesOf(flag.key)).toEqual(fields.prerequisites)
  expect(flags.get(flag.key)).toEqual(flag)
})

it('a flag without the field, and one that does not exist, require nothing', () => {
  expect(flags.prerequisitesOf(add({ value: { prerequisites: [] } }).key)).toEqual([])
  expect([flags.prerequisitesOf('missing'), flags.get('missing')]).toEqual([[], undefined])
})

it('a stored flag has its origins, which are not part of its text', () => {
  const origins = [{ rule_index: 0, segment_keys: ['big'], count: 1 }]
  flags.addText('with-origins', '{"key":"with-origins","prerequisites":[]}', origins)
  expect(flags.get('with-origins')).toMatchObject({ origins })
})
