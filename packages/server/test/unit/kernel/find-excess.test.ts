import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findUncleanInput } from '../../../src/kernel/hygiene.ts'
import { findExcess } from '../../../src/kernel/json/find-excess.ts'

const bounds = { depth: 4, fields: 3, items: 5 }
const find = (json: string) => findExcess(Buffer.from(json), bounds)

describe('the bounds of a JSON text', () => {
  it('an excess is found without parsing, at the place of the parsed value', () => {
    const roomy = { depth: 4, fields: 1_000, items: 1_000 }
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (json) => {
        const excess = findExcess(Buffer.from(json), roomy)
        const problem = findUncleanInput(JSON.parse(json), roomy.depth)
        expect(excess === null).toBe(problem === null)
      }),
    )
    expect(find('{"a":[0,{"b~/":[[1]]}]}')).toEqual({
      path: '/a/1/b~0~1/0',
      message: 'must not nest deeper than 4 levels',
    })
  })

  it.each([
    '[[[[1]]]]',
    '[1,2,3,4,5]',
    '{"a":1,"b":2,"c":3}',
    '{"a":"[[[[[{{{{,,,,,:::::"}',
    '"',
    '"\\',
    ']]]]',
    '',
  ])('a JSON text is within the bounds: %s', (json) => expect(find(json)).toBeNull())

  it.each([
    ['[1,2,3,4,5,6]', '5 list items'],
    ['[[1],[2],[3,4]]', '5 list items'],
    ['{"a":1,"a":1,"a":1,"a":1}', '3 fields'],
  ])('all lists and objects are counted: %s', (json, most) => {
    expect(find(json)).toEqual({ path: '', message: `must not have more than ${most} in all` })
  })

  it('an excess names a field that is not closed, and cuts a long name', () => {
    expect(find(`{"${'x'.repeat(5_000)}":[[[[`)?.path.length).toBeLessThan(400)
  })
})
