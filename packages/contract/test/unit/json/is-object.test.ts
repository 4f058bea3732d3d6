import { expect, it } from 'vitest'
import { isObject } from '../../../src/json/is-object.ts'

it.each<unknown>([{}, { a: 1 }, Object.create(null)])('%j is an object with fields', (value) => {
  expect(isObject(value)).toBe(true)
})

it.each<unknown>([null, undefined, [], [{}], 'a', 0, true, () => 0])(
  '%j is no object with fields',
  (value) => {
    expect(isObject(value)).toBe(false)
  },
)
