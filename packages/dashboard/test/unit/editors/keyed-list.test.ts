import { expect, test } from 'vitest'
import { matchKeys, moved } from '../../../src/shared/editors/use-keyed-list.ts'

const counter = () => {
  let count = 0
  return () => `new-${++count}`
}

test('an item keeps its key when it moves, and when its owner hands back a copy', () => {
  const [one, two] = [{ at: 1 }, { at: 2 }]
  const known = { items: [one, two], keys: ['a', 'b'] }

  expect(matchKeys(known, [two, one], counter())).toEqual(['b', 'a'])
  expect(matchKeys(known, structuredClone([one, two]), counter())).toEqual(['a', 'b'])
})

test('what is new gets a key of its own, and no key is given twice', () => {
  const one = { at: 1 }
  const known = { items: [one], keys: ['a'] }

  expect(matchKeys(known, [one, one, { at: 3 }], counter())).toEqual(['a', 'new-1', 'new-2'])
})

test('an item is taken from one place to another', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
})
