import { expect, test } from 'vitest'
import {
  changeKind,
  describeDemand,
  findDemandProblem,
} from '../../../src/features/project-settings/invariants/demand-text.ts'

test('a demand is described in a line', () => {
  const when = [{ attribute: 'plan', operator: 'not_equals' as const, values: ['free', 'team'] }]
  expect(describeDemand({ when, never: [true] })).toBe('never true where plan not_equals free, team')
  expect(describeDemand({ only: ['a', 'b'] })).toBe('only "a", "b"')
  expect(describeDemand({ at_most: { percent: 5, value: true } })).toBe('true for at most 5%')
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

test('a demand of another kind keeps its users and its value', () => {
  const when = [{ attribute: 'plan', operator: 'equals' as const, values: ['free'] }]
  const never = { when, never: ['blue', 'red'] }
  expect(changeKind(never, 'only', true)).toEqual({ when, only: ['blue', 'red'] })
  expect(changeKind(never, 'at_most', true)).toEqual({ when, at_most: { percent: 5, value: 'blue' } })
  expect(changeKind(never, 'implies', true)).toEqual({ when, implies: { value: 'blue', flag: '', is: true } })
  expect(changeKind({ shape: { exists: false } }, 'never', true)).toEqual({ never: [true] })
})

test('a demand on the flag itself is not on users', () => {
  const when = [{ attribute: 'plan', operator: 'equals' as const, values: ['free'] }]
  expect(changeKind({ when, only: [true] }, 'shape', true)).toEqual({ shape: { exists: true } })
})
