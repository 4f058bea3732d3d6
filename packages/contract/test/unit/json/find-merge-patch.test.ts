import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findMergePatch } from '../../../src/json/find-merge-patch.ts'
import { mergePatch } from '../../../src/json/merge-patch.ts'

describe('the merge patch between two objects', () => {
  it('the merge patch contains only what differs', () => {
    const before = {
      same: [1, { a: null }],
      list: [1, 2],
      text: 'a',
      nested: { kept: 1, changed: 1, gone: 1 },
    }
    const after = {
      same: [1, { a: null }],
      list: [2],
      text: null,
      nested: { kept: 1, changed: 2, added: [] },
    }
    expect(findMergePatch(before, after)).toEqual({
      list: [2],
      text: null,
      nested: { changed: 2, gone: null, added: [] },
    })
  })

  it('the merge patch leaves fields that the other object lacks', () => {
    expect(findMergePatch({ a: 1, b: 2 }, { a: 1 })).toEqual({})
  })

  it('the merge patch handles __proto__ as an ordinary name', () => {
    const before = JSON.parse('{"value": {"__proto__": 1, "constructor": 2}}')
    const after = JSON.parse('{"value": {"toString": 3}}')
    const patch = findMergePatch(before, after)
    expect(JSON.stringify(patch)).toBe('{"value":{"__proto__":null,"constructor":null,"toString":3}}')
    expect(mergePatch(before, patch)).toEqual(after)
  })

  it('the merge patch converts one object into the other, unless an object contains null', () => {
    const leaf = fc.oneof(fc.boolean(), fc.integer(), fc.string({ maxLength: 3 }))
    const name = fc.constantFrom('a', 'b', '__proto__', 'constructor', '')
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(value, value, (left, right) => {
        const before = JSON.parse(JSON.stringify({ value: left }))
        const after = JSON.parse(JSON.stringify({ value: right }))
        expect(mergePatch(before, findMergePatch(before, after))).toEqual(after)
      }),
    )
  })
})
