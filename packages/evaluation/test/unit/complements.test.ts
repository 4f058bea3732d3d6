import { expect, test } from 'vitest'
import { complementOf, OPERATORS } from '../../src/index.ts'
import { compareComplements } from './reference/compare-complements.ts'

test('every operator but not_equals has a complement, whose complement it is', () => {
  expect(OPERATORS).toHaveLength(35)
  const withoutOne = OPERATORS.filter((operator) => complementOf(operator) === null)
  expect(withoutOne).toEqual(['not_equals'])
  for (const operator of OPERATORS) {
    const complement = complementOf(operator)
    if (complement) expect(complementOf(complement)).toBe(operator)
  }
})

test('a complement holds exactly when its operator does not', () => {
  compareComplements(20_000)
})
