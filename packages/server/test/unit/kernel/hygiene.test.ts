import { describe, expect, it } from 'vitest'
import { findUncleanInput } from '../../../src/kernel/hygiene.ts'

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

describe('input of the control plane', () => {
  it.each([
    ['plain values', { a: [1, 'x', null, true], ключ: 'значение 🎉' }],
    ['32 levels', nested(32)],
    ['__proto__ as a key', JSON.parse('{"__proto__":{"a":1}}')],
  ])('input of the control plane may contain %s', (_name, input) => {
    expect(findUncleanInput(input, 32)).toBeNull()
  })

  it.each([
    ['NUL in a text', { a: ['x', 'b\0'] }, '/a/1'],
    ['NUL in a field name', { a: { 'b\0': 1 } }, '/a'],
    ['a lone surrogate', { a: 'x\ud800' }, '/a'],
    ['a lone surrogate in a field name', { '\udc00': 1 }, ''],
    ['a number beyond the finite', { a: { b: JSON.parse('1e999') } }, '/a/b'],
    ['33 levels', nested(33), '/0'.repeat(32)],
  ])('input of the control plane must not contain %s', (_name, input, path) => {
    expect(findUncleanInput(input, 32)).toMatchObject({ path })
  })

  it('input of 200,000 levels is checked without exhausting the stack', () => {
    let deep: unknown = null
    for (let level = 0; level < 200_000; level++) deep = [deep]
    expect(findUncleanInput(deep, 32)).not.toBeNull()
  })
})
