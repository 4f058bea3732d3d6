import type { TargetingRule } from '@burgee/contract'
import { expect, it } from 'vitest'
import { createUnreachable } from '../../../../src/targeting/rules/unreachable-rules.ts'

const is = (value: string) => ({ attribute: 'a', operator: 'equals' as const, values: [value] })

/** Rules of many equal conditions, of which only the last one differs; the last rule repeats the first. */
function alike(count: number, conditions: number): TargetingRule[] {
  const shared = Array.from({ length: conditions }, (_, at) => is(`shared-${at}`))
  const rules = Array.from({ length: count - 1 }, (_, at) => ({
    ...is('all'),
    conditions: [...shared, is(`own-${at}`)],
  }))
  return [...rules, ...rules.slice(0, 1)]
}

it('finds the rule that covers a later one with the same conditions', () => {
  const unreachable = createUnreachable(alike(40, 10))
  const found = Array.from({ length: 40 }, (_, index) => unreachable(index).map(({ path }) => path))
  expect(found.flat()).toEqual(['/rules/39'])
})

it('compares no further tests when the steps are spent', () => {
  const unreachable = createUnreachable(alike(100, 150))
  const found = Array.from({ length: 100 }, (_, index) => unreachable(index))
  expect(found.flat()).toEqual([])
})

it('compares no further values when the steps are spent', () => {
  const values = Array.from({ length: 5_000 }, (_, at) => `value-${at}`)
  const rules = Array.from({ length: 50 }, (_, at) => ({ ...is('x'), values: [...values, `own-${at}`] }))
  const unreachable = createUnreachable([...rules, ...rules.slice(0, 1)])
  const found = Array.from({ length: 51 }, (_, index) => unreachable(index))
  expect(found.flat()).toEqual([])
})
