import type { Experiment } from '@burgee/contract'
import { describe, expect, test } from 'vitest'
import {
  EMPTY_DRAFT,
  toDraft,
  toInput,
  toPatch,
  validateDraft,
} from '../../../src/features/experiments/experiment-draft.ts'
import { findExperiments } from '../../../src/features/experiments/find-experiments.ts'
import { formatExperimentSnippet } from '../../../src/features/experiments/format-experiment-snippet.ts'
import { describeGoalProblem } from '../../../src/features/experiments/goal-key.ts'
import { listControlValues } from '../../../src/features/experiments/list-control-values.ts'

const experimentOf = (given: Partial<Experiment>): Experiment => ({
  id: '9e2b7d40-6c15-4a8f-b3d1-0f7e52c94a68',
  environment_id: '9e2b7d40-6c15-4a8f-b3d1-0f7e52c94a69',
  key: 'colour-sales',
  name: 'Which colour?',
  description: null,
  flag_key: 'button-colour',
  goal_event_key: 'order-placed',
  control_variant: null,
  status: 'running',
  created_at: '2026-03-01T10:00:00Z',
  ...given,
})

const goalProblem = (found: string, instead: string) =>
  `A goal has letters A to Z, digits, hyphens and underscores only, not ${found}. Track it as ${instead}.`

describe('a draft', () => {
  test('states at each field what is missing', () => {
    expect(validateDraft(EMPTY_DRAFT).map(({ path }) => path)).toEqual([
      '/name',
      '/key',
      '/flag_key',
      '/goal_event_key',
    ])
  })

  test('states which characters keys may have', () => {
    const draft = { ...toDraft(experimentOf({})), key: 'a b', goal_event_key: 'ä' }

    expect(validateDraft(draft)).toEqual([
      { path: '/key', message: 'Use letters, digits, hyphens and underscores only.' },
      { path: '/goal_event_key', message: goalProblem('“ä”', 'another key') },
    ])
  })

  test.each([
    ['checkout.completed', '“.”', '“checkout-completed”'],
    ['order placed!', 'blanks, “!”', '“order-placed”'],
    ['完了', '“完”, “了”', 'another key'],
  ])('names what %s may not have as a goal, and a key to track instead', (key, found, instead) => {
    expect(describeGoalProblem(key)).toBe(goalProblem(found, instead))
    expect(describeGoalProblem('order-placed_2')).toBeNull()
  })

  test('sends null for what is left empty, and never key and flag of an existing experiment', () => {
    const draft = { ...toDraft(experimentOf({})), name: ' Which colour? ' }

    expect(toInput(draft)).toEqual({
      name: 'Which colour?',
      key: 'colour-sales',
      flag_key: 'button-colour',
      goal_event_key: 'order-placed',
      control_variant: null,
      description: null,
    })
    expect(toPatch(draft, { ...draft, key: 'other', flag_key: 'other', description: 'Why' })).toEqual({
      description: 'Why',
    })
    expect(toPatch({ ...draft, control_variant: 'blue' }, draft)).toEqual({ control_variant: null })
  })
})

describe('values that may be the control', () => {
  test('are true and false for a boolean flag', () => {
    const flag = {
      flag_type: 'boolean',
      default_value: true,
      disabled_value: false,
      variants: [],
      rules: [],
    } as const

    expect(listControlValues({ ...flag, variants: [], rules: [] })).toEqual(['false', 'true'])
  })

  test('are texts as SDKs report them, each once, and never null', () => {
    const values = listControlValues({
      flag_type: 'json',
      default_value: { a: 1 },
      disabled_value: null,
      variants: [
        { value: 'plain', weight: 1 },
        { value: { a: 1 }, weight: 1 },
      ],
      rules: [{ attribute: 'plan', operator: 'equals', values: ['pro'], variant: 7 }],
    })

    expect(values).toEqual(['plain', '{"a":1}', '7'])
  })

  test('are none while no flag is chosen', () => {
    expect(listControlValues(undefined)).toEqual([])
  })
})

test('experiments are found by name, key, flag and goal; running ones come first, then the youngest', () => {
  const list = [
    experimentOf({ key: 'old', status: 'completed' }),
    experimentOf({ key: 'first', created_at: '2026-01-01T00:00:00Z' }),
    experimentOf({ key: 'second', created_at: '2026-02-01T00:00:00Z', flag_key: 'Banner' }),
  ]

  expect(findExperiments(list, { q: '', status: 'all' }).map(({ key }) => key)).toEqual([
    'second',
    'first',
    'old',
  ])
  expect(findExperiments(list, { q: 'banner', status: 'all' }).map(({ key }) => key)).toEqual(['second'])
  expect(findExperiments(list, { q: 'order', status: 'completed' }).map(({ key }) => key)).toEqual(['old'])
})

test('the snippet asks for a boolean flag in its own way', () => {
  const keys = { flag_key: 'new-checkout', goal_event_key: 'order-placed' }

  expect(formatExperimentSnippet({ ...keys, isBoolean: true })).toContain(
    "if (flags.isEnabled('new-checkout', user.id)) {",
  )
  expect(formatExperimentSnippet(keys)).toContain("flags.getVariant('new-checkout', user.id)")
})
