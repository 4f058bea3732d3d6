import { expect, test } from 'vitest'
import { expiryChoices } from '../../../src/parts/access-tokens/expiry-choices.ts'

const values = (maxDays: number | undefined) => expiryChoices(maxDays).choices.map(({ value }) => value)

test('without a limit a token may end after a year or never, and 90 days are chosen', () => {
  expect(values(undefined)).toEqual(['7', '30', '90', '365', 'never'])
  expect(expiryChoices(undefined).usual).toBe('90')
})

test.each([
  [1, ['1'], '1'],
  [7, ['7'], '7'],
  [45, ['7', '30', '45'], '45'],
  [90, ['7', '30', '90'], '90'],
  [200, ['7', '30', '90', '200'], '90'],
  [365, ['7', '30', '90', '365'], '90'],
])('with a limit of %i days the times end there, and never is no choice', (maxDays, expected, usual) => {
  expect(values(maxDays)).toEqual(expected)
  expect(expiryChoices(maxDays).usual).toBe(usual)
  expect(expected).toContain(usual)
})
