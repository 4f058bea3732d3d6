import { deepEqual, type JsonValue } from '@burgee/evaluation'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findMergePatch } from '../../../src/json/find-merge-patch.ts'
import { isObject } from '../../../src/json/is-object.ts'
import { mergePatch } from '../../../src/json/merge-patch.ts'

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string({ maxLength: 3 })),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor', ''), tie('value'), { maxKeys: 4 }),
  ),
}))
/** With the ordinary prototype, which generated dictionaries may lack. */
const asParsed = (json: JsonValue): JsonValue => JSON.parse(JSON.stringify(json))

const holdsNull = (json: JsonValue): boolean =>
  isObject(json) && Object.values(json).some((field) => field === null || holdsNull(field))

describe('the merge patch between two values', () => {
  it('the merge patch contains only what differs', () => {
    const before = { same: [1, { a: null }], list: [1, 2], nested: { kept: 1, changed: 1, gone: 1 } }
    const after = { same: [1, { a: null }], list: [2], nested: { kept: 1, changed: 2, added: [] } }
    expect(findMergePatch(before, after)).toEqual({
      patch: { list: [2], nested: { changed: 2, gone: null, added: [] } },
      isExact: true,
    })
  })

  it('the merge patch is the new value when that is not an object', () => {
    expect(findMergePatch({ a: 1 }, [1])).toEqual({ patch: [1], isExact: true })
    expect(findMergePatch({ a: 1 }, null)).toEqual({ patch: null, isExact: true })
    expect(findMergePatch(undefined, { a: 1 })).toEqual({ patch: { a: 1 }, isExact: true })
  })

  it.each<readonly [string, JsonValue, JsonValue, JsonValue]>([
    ['a new field', {}, { a: null }, { a: null }],
    ['a field that had a value', { a: 1 }, { a: null }, { a: null }],
    ['a field of a nested object', { a: { b: 1 } }, { a: { b: null } }, { a: { b: null } }],
    ['a field of an object that replaces a text', { a: 'x' }, { a: { b: null } }, { a: { b: null } }],
  ])(
    'the merge patch is not exact when it sets %s to null, which removes the field',
    (_case, before, after, patch) => {
      expect(findMergePatch(before, after)).toEqual({ patch, isExact: false })
    },
  )

  it('the merge patch is exact for an unchanged null, and for null in a list', () => {
    expect(findMergePatch({ a: null, b: 1 }, { a: null, b: 2 })).toEqual({ patch: { b: 2 }, isExact: true })
    expect(findMergePatch({ a: [] }, { a: [{ b: null }] })).toEqual({
      patch: { a: [{ b: null }] },
      isExact: true,
    })
  })

  it('the merge patch handles __proto__ as an ordinary name', () => {
    const before = JSON.parse('{"value": {"__proto__": 1, "constructor": 2}}')
    const after = JSON.parse('{"value": {"toString": 3}}')
    const { patch } = findMergePatch(before, after)
    expect(JSON.stringify(patch)).toBe('{"value":{"__proto__":null,"constructor":null,"toString":3}}')
    expect(mergePatch(before, patch)).toEqual(after)
  })

  it('the merge patch converts one value into the other whenever it is marked as exact', () => {
    fc.assert(
      fc.property(value.map(asParsed), value.map(asParsed), (before, after) => {
        const { isExact, patch } = findMergePatch(before, after)
        expect(deepEqual(mergePatch(before, patch), after)).toBe(isExact)
        if (!holdsNull(after)) expect(isExact).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })
})
