import { describe, expect, it } from 'vitest'
import { mergePatch, mergeSteps } from '../../../src/json/merge-patch.ts'

/** RFC 7386, appendix A: original, patch, result. */
const APPENDIX_A = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
] as const

describe('a JSON merge patch', () => {
  it.each(APPENDIX_A)('a merge patch converts %s with %s into %s', (original, patch, result) => {
    expect(mergePatch(JSON.parse(original), JSON.parse(patch))).toEqual(JSON.parse(result))
  })

  it('a merge patch treats __proto__ and constructor as ordinary keys', () => {
    const patched = mergePatch(
      JSON.parse('{"a":{}}'),
      JSON.parse('{"a":{"__proto__":{"x":1},"constructor":2}}'),
    )
    expect(JSON.stringify(patched)).toBe('{"a":{"__proto__":{"x":1},"constructor":2}}')
    expect(Object.prototype).not.toHaveProperty('x')
  })

  it('a merge patch changes neither of its arguments', () => {
    const target = { a: { b: 1 } }
    const patch = { a: { c: 2 } }
    mergePatch(target, patch)
    expect([target, patch]).toEqual([{ a: { b: 1 } }, { a: { c: 2 } }])
  })

  it('a merge patch of many fields has steps, of at most some thousand fields', () => {
    const patch = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index]))
    const target = { k1: 'old', other: true }
    expect([...mergeSteps(target, patch)]).toHaveLength(10)
    expect(mergePatch(target, patch)).toEqual({ ...target, ...patch })
  })

  it('small objects within a merge patch take no steps of their own', () => {
    const patch = { list: Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, {}])) }
    expect([...mergeSteps({}, patch)]).toEqual([])
  })

  it('a merge patch keeps the order of the fields', () => {
    const merged = mergePatch({ a: 1, b: 2, c: 3 }, { b: null, d: 4, a: { x: 1 } })
    expect(JSON.stringify(merged)).toBe('{"a":{"x":1},"c":3,"d":4}')
  })
})
