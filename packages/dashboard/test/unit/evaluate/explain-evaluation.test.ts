import type { Flag } from '@burgee/contract'
import { createFlagSet, OPERATORS } from '@burgee/evaluation'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evaluateQuestion, nameOfValue } from '../../../src/features/evaluate/describe-evaluation.ts'
import { explainEvaluation } from '../../../src/features/evaluate/explain-evaluation.ts'
import type { Subject } from '../../../src/features/evaluate/subject.ts'
import { aFlag } from '../a-flag.ts'

const NOBODY: Subject = { user_key: null, attributes: {} }

describe('an explanation', () => {
  test('names the rule that decided, as a sentence', () => {
    const flag = flagOf({
      rules: [
        { attribute: 'plan', operator: 'equals', values: ['pro'] },
        { attribute: 'country', operator: 'equals', values: ['NO', 'SE'] },
      ],
    })

    const { summary, steps, trace } = explain([flag], { user_key: 'u', attributes: { country: 'NO' } })

    expect(summary).toBe('Rule 2 matched: country is one of NO, SE.')
    expect(trace?.rules.map(({ state }) => state)).toEqual(['no_match', 'matched'])
    expect(steps.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'prerequisites passed',
      'switch passed',
      'rules decided',
      'rollout skipped',
      'value skipped',
    ])
  })

  test('tells a segment within another from segments that hold together', () => {
    const flag = flagOf({ rules: [{ attribute: 'plan', operator: 'equals', values: ['pro'] }] })
    const subject = { user_key: 'u', attributes: { plan: 'pro' } }
    const summaryWith = (origin: object) =>
      explain([{ ...flag, origins: [{ rule_index: 1, count: 1, ...origin }] } as Flag], subject).summary
    expect(summaryWith({ segment_keys: ['beta', 'staff'] })).toMatch(/^Rule 2 .segment beta → staff. matched/)
    const segment_paths = [['beta', 'staff'], ['paying']]
    expect(summaryWith({ segment_keys: ['beta', 'staff', 'paying'], segment_paths })).toMatch(
      /^Rule 2 .segments beta → staff and paying. matched/,
    )
  })

  test('names the values that have names', () => {
    const flag = flagOf({ flag_type: 'string', default_value: 'a', variant_names: { calm: 'a' } })
    expect(nameOfValue(evaluateQuestion(questionOf([flag], NOBODY)))).toBe('calm')
    const unnamed = flagOf({ flag_type: 'string', default_value: 'b', variant_names: { calm: 'a' } })
    expect(nameOfValue(evaluateQuestion(questionOf([unnamed], NOBODY)))).toBeUndefined()
  })

  test('names the bucket of the rollout, and on which side of it the user is', () => {
    const summaries = [1, 30, 99].map(
      (rollout_percentage) =>
        explain([flagOf({ rollout_percentage })], { ...NOBODY, user_key: 'user-1' }).summary,
    )
    const bucket = Number(/bucket (\d+)/.exec(summaries[0] ?? '')?.[1])
    expect(summaries.map((summary) => summary.startsWith('Inside'))).toEqual(
      [1, 30, 99].map((it) => bucket < it),
    )
    expect(explain([flagOf({ rollout_percentage: 30 })], NOBODY).summary).toBe(
      'Outside the rollout of 30%: there is no user key.',
    )
  })

  test('follows a failed prerequisite down to its cause', () => {
    const flags = [
      flagOf({ prerequisites: [{ flag_key: 'middle' }] }),
      flagOf({ key: 'middle', prerequisites: [{ flag_key: 'cause' }] }),
      flagOf({ key: 'cause', is_enabled: false }),
    ]

    const { failedChain, summary } = explain(flags, NOBODY)

    expect(summary).toBe('Prerequisite middle fails because of its own prerequisites.')
    expect(failedChain).toEqual(['middle', 'cause'])
  })

  test('states what a prerequisite gives where it has to give something else', () => {
    const flags = [
      flagOf({ prerequisites: [{ flag_key: 'colour', required_value: 'red' }] }),
      flagOf({ key: 'colour', flag_type: 'string', default_value: 'blue' }),
    ]
    expect(explain(flags, NOBODY).summary).toBe('Prerequisite colour gives "blue" and has to give "red".')
  })

  test('ends where prerequisites go in a circle, and names chains that are too deep', () => {
    const circle = [
      flagOf({ prerequisites: [{ flag_key: 'other' }] }),
      flagOf({ key: 'other', prerequisites: [{ flag_key: 'flag' }] }),
    ]
    expect(explain(circle, NOBODY).failedChain).toEqual(['other', 'flag', 'other'])
    const chain = Array.from({ length: 12 }, (_, level) =>
      flagOf({
        key: level === 0 ? 'flag' : `f${level}`,
        prerequisites: level === 11 ? [] : [{ flag_key: `f${level + 1}` }],
      }),
    )
    expect(explain(chain, NOBODY).summary).toBe('Prerequisite f1 is in a chain of more than ten levels.')
  })

  test('never contradicts the evaluator', () => {
    fc.assert(
      fc.property(fc.tuple(someFlag('flag'), someFlag('a'), someFlag('b')), someSubject, (flags, subject) => {
        const { evaluation, steps, summary, trace } = explain(flags, subject)
        const flag = flags[0]
        expect(evaluation).toEqual(
          createFlagSet(flags).evaluate('flag', {
            userKey: subject.user_key,
            attributes: subject.attributes,
          }),
        )
        expect(summary).not.toBe('')

        expect(trace).toBeDefined()
        if (evaluation.reason === 'SPLIT' && (flag.rollout_percentage ?? 100) < 100) {
          expect(summary.startsWith(evaluation.enabled ? 'Inside' : 'Outside')).toBe(true)
        }
        expect(steps.filter(({ state }) => state === 'decided')).toHaveLength(1)
        expect(steps.findIndex(({ state }) => state === 'skipped')).not.toBe(0)
      }),
    )
  })
})

function explain(flags: readonly Flag[], subject: Subject) {
  return explainEvaluation(questionOf(flags, subject))
}

function questionOf(flags: readonly Flag[], subject: Subject) {
  const [flag] = flags
  if (!flag) throw new Error('a flag is explained')
  return { set: createFlagSet(flags), flag, subject }
}

/** Values that fit whatever type it has. */
function flagOf(stated: Partial<Flag> = {}): Flag {
  const isBoolean = (stated.flag_type ?? 'boolean') === 'boolean'
  return aFlag({
    key: 'flag',
    default_value: isBoolean ? true : null,
    disabled_value: isBoolean ? false : null,
    ...stated,
  })
}

const VARIANTS = [
  { weight: 1, value: 'x' },
  { weight: 2, value: 'y' },
]
const someKey = fc.constantFrom('a', 'b', 'flag', 'missing')
const text = fc.constantFrom('', 'a', 'b', 'ab', '10', '9.5', 'true')
const someCondition = fc.record({
  attribute: fc.constantFrom('plan', 'age'),
  operator: fc.constantFrom(...OPERATORS),
  values: fc.array(text, { maxLength: 3 }),
})
const someSubject: fc.Arbitrary<Subject> = fc.record({
  user_key: fc.option(fc.string(), { nil: null }),
  attributes: fc.dictionary(
    fc.constantFrom('plan', 'age'),
    fc.oneof(text, fc.integer({ min: 0, max: 20 }), fc.boolean(), fc.array(text, { maxLength: 2 })),
  ),
})

function someFlag(key: string): fc.Arbitrary<Flag> {
  const isBoolean = key !== 'a'
  return fc
    .record({
      is_enabled: fc.boolean(),
      rollout_percentage: fc.option(fc.constantFrom(0, 1, 30, 70, 100), { nil: null }),
      rules: fc.array(
        fc
          .record({ conditions: fc.array(someCondition, { maxLength: 2 }), own: someCondition })
          .map(({ conditions, own }) => ({ ...own, conditions })),
        { maxLength: 10 },
      ),
      prerequisites: fc.array(
        fc.oneof(
          fc.record({ flag_key: someKey }),
          fc.record({ flag_key: someKey, required_value: fc.constantFrom('x', true) }),
        ),
        { maxLength: 2 },
      ),
      variants: fc.constant<Flag['variants']>(isBoolean ? [] : VARIANTS),
    })
    .map((fields) =>
      flagOf({
        key,
        ...(isBoolean ? {} : { flag_type: 'string', default_value: 'x', disabled_value: 'z' }),
        ...fields,
      }),
    )
}
