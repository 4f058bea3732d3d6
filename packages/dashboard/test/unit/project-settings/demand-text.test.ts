import { expect, test } from 'vitest'
import {
  describeDemand,
  findDemandProblem,
} from '../../../src/features/project-settings/invariants/demand-text.ts'

test('a demand is described in a line', () => {
  const when = [{ attribute: 'plan', operator: 'not_equals' as const, values: ['free', 'team'] }]
  expect(describeDemand({ when, never: [true] })).toBe('never true where plan not_equals free, team')
  expect(describeDemand({ only: ['a', 'b'] })).toBe('only "a", "b"')
  expect(describeDemand({ at_most: { percent: 5, value: true } })).toBe('true for at most 5 %')
  expect(describeDemand({ implies: { value: true, flag: 'v1', is: 'on' } })).toBe('true only with v1 = "on"')
  expect(describeDemand({ shape: { exists: true, disabled_value: null } })).toBe(
    'exists = true disabled_value = null',
  )
})

test('a demand must be exactly one, of known fields', () => {
  expect(findDemandProblem({ when: [], never: [true] })).toBeNull()
  expect(findDemandProblem({ when: [] })).toMatch(/exactly one/)
  expect(findDemandProblem({ never: [true], only: [false] })).toMatch(/exactly one/)
  expect(findDemandProblem({ never: [true], nevr: 1 })).toMatch('nevr')
  expect(findDemandProblem([true])).toMatch(/object/)
})
