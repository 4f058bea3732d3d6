import { describe, expect, test } from 'vitest'
import { explain } from '../../../src/explain.ts'
import { createFlagSet, type EvaluatedFlag } from '../../../src/index.ts'
import { aFlag, aRule, aStringFlag, needs, users, weighted } from '../builders.ts'
import { compareExplanations } from './compare-explanations.ts'

const explained = (flags: readonly EvaluatedFlag[], userKey: string | null = 'ann', attributes = {}) =>
  explain(createFlagSet(flags), 'flag', { userKey, attributes })

describe('an explanation', () => {
  test('is the evaluation, field by field, and its trace leads to it', () => {
    compareExplanations(500)
  })

  test.each(['plan', 'country'])(
    'is the evaluation where an attribute cannot be read (a rule about %s)',
    (attribute) => {
      const attributes = {
        get plan(): string {
          throw new Error('unreadable')
        },
      }
      const flag = aFlag({ rules: [aRule({ attribute })] })
      const { trace: _trace, ...evaluation } = explained([flag], 'ann', attributes)
      const expected = createFlagSet([flag]).evaluate('flag', { userKey: 'ann', attributes })
      expect(evaluation).toStrictEqual({ ...expected })
      expect(evaluation.reason === 'ERROR').toBe(attribute === 'plan')
    },
  )

  test('shows each rule up to the one that matched, with its conditions and the written rule', () => {
    const flag = {
      ...aFlag({
        revision: 7,
        rules: [
          aRule(),
          aRule({ attribute: 'country', values: ['NO'], conditions: [aRule({ attribute: 'age' })] }),
          aRule({ attribute: 'country', values: ['NO', 'SE'] }),
          aRule(),
        ],
      }),
      origins: [
        { rule_index: 0, segment_keys: ['beta'], count: 2 },
        { rule_index: 1, segment_keys: [], count: 2 },
      ],
    }
    const { trace, ...evaluation } = explained([flag], 'ann', { country: 'NO' })
    expect(evaluation).toMatchObject({ reason: 'TARGETING_MATCH', rule_index: 2 })
    expect(trace).toMatchObject({ flag_revision: 7, switch: 'on', decided: 'rules', value: { from: 'rule' } })
    expect(trace?.rules.map(({ origin, state }) => [origin, state])).toEqual([
      [{ rule_index: 0, segment_keys: ['beta'] }, 'no_match'],
      [{ rule_index: 0, segment_keys: ['beta'] }, 'no_match'],
      [{ rule_index: 1, segment_keys: [] }, 'matched'],
      [{ rule_index: 1, segment_keys: [] }, 'not_evaluated'],
    ])
    expect(trace?.rules[1]?.conditions).toEqual([
      {
        attribute: 'country',
        operator: 'equals',
        values: ['NO'],
        is_present: true,
        actual: 'NO',
        holds: true,
      },
      {
        attribute: 'age',
        operator: 'equals',
        values: ['pro'],
        is_present: false,
        actual: null,
        holds: false,
      },
    ])
  })

  test('has the bucket of the rollout, by which the percentage decides', () => {
    for (const user of users(50)) {
      const bucket = explained([aFlag({ rollout_percentage: 30 })], user).trace?.rollout.bucket ?? -1
      const at = (rollout_percentage: number) =>
        createFlagSet([aFlag({ rollout_percentage })]).isEnabled('flag', user)
      expect([at(bucket), at(bucket + 1)]).toEqual([false, true])
    }
    expect(explained([aFlag({ rollout_percentage: 30 })], null).trace?.rollout).toEqual({
      percentage: 30,
      bucket: null,
      bucket_of: 100,
      salt: 'flag:',
      inside: false,
    })
  })

  test('has the place of the user among the variants, and the share of the one that was chosen', () => {
    const { trace, variant_index } = explained([aStringFlag({ variants: weighted(1, 3) })])
    const { position = -1, ...value } = trace?.value ?? {}
    expect(value).toEqual({ from: 'variant', share: variant_index === 0 ? 0.25 : 0.75 })
    expect(position < 0.25).toBe(variant_index === 0)
  })

  test('nests the prerequisites down to the cause', () => {
    const flags = [
      aFlag({ prerequisites: [needs('met'), needs('middle'), needs('later', true)] }),
      aFlag({ key: 'met' }),
      aFlag({ key: 'middle', prerequisites: [needs('cause')] }),
      aFlag({ key: 'cause', is_enabled: false }),
      aFlag({ key: 'later' }),
    ]
    const { trace, ...evaluation } = explained(flags)
    expect(evaluation).toMatchObject({ reason: 'PREREQUISITE_FAILED', prerequisite_key: 'middle' })
    const [met, middle, later] = trace?.prerequisites ?? []
    expect(met).toMatchObject({ flag_key: 'met', state: 'met', value: true, reason: 'STATIC' })
    expect(middle).toMatchObject({ state: 'failed', reason: 'PREREQUISITE_FAILED', required_value: null })
    expect(middle?.trace?.prerequisites[0]).toMatchObject({ flag_key: 'cause', reason: 'DISABLED' })
    expect(later).toEqual({ flag_key: 'later', required_value: true, state: 'not_evaluated' })
  })

  test('says where a chain of prerequisites is too deep, and ends in a circle', () => {
    const chain = Array.from({ length: 12 }, (_, level) =>
      aFlag({ key: level === 0 ? 'flag' : `f${level}`, prerequisites: [needs(`f${level + 1}`)] }),
    )
    const keys: string[] = []
    let { trace } = explained([...chain, aFlag({ key: 'f12' })])
    while (trace) {
      const [first] = trace.prerequisites
      expect(first?.state).toBe('failed')
      keys.push(first?.flag_key ?? '')
      trace = first?.trace
    }
    // The flag behind the tenth level is not evaluated any more.
    expect(keys).toEqual(Array.from({ length: 11 }, (_, level) => `f${level + 1}`))
    expect(explained([aFlag({ prerequisites: [needs('flag')] })])).toMatchObject({
      reason: 'PREREQUISITE_FAILED',
    })
  })

  test('has no trace for a flag that is unknown, archived or not valid, or attributes that are too large', () => {
    expect(explained([])).toEqual({ value: null, enabled: false, reason: 'FLAG_NOT_FOUND' })
    expect(explained([{ ...aFlag(), archived_at: 'now' } as never]).reason).toBe('FLAG_NOT_FOUND')
    expect(explained([aFlag({ rollout_percentage: 101 })])).toEqual({
      value: null,
      enabled: false,
      reason: 'ERROR',
    })
    const huge = { plan: Array.from({ length: 200_000 }, (_, at) => at) }
    expect(explained([aFlag({ rules: [aRule()] })], 'ann', huge).reason).toBe('ERROR')
  })
})

describe('the trace of a large flag', () => {
  test('lists the first hundred rules and the one that matched, and cuts values and attributes', () => {
    const values = Array.from({ length: 5_000 }, (_, at) => `value-${at}`)
    const rules = Array.from({ length: 2_000 }, (_, at) =>
      at === 1_500 ? aRule({ values, attribute: 'hit' }) : aRule({ values: ['none'] }),
    )
    const given = { plan: 'x'.repeat(100_000), hit: 'value-4999' }
    const { trace } = explained([aFlag({ rules })], 'ann', given)
    expect(trace?.rules.map(({ index }) => index)).toEqual([...Array(100).keys(), 1_500])
    expect(trace?.omitted_rules).toBe(1_899)
    expect(trace?.rules[100]).toMatchObject({ state: 'matched', conditions: [{ omitted_values: 4_980 }] })
    expect(JSON.stringify(trace).length).toBeLessThan(200_000)
  })

  test('stays small where prerequisites branch at every level', () => {
    const flags = Array.from({ length: 10 }, (_, level) => [0, 1, 2].map((at) => `f${level}-${at}`))
    const all = flags.flatMap((keys, level) =>
      keys.map((key) =>
        aFlag({ key, prerequisites: (flags[level + 1] ?? []).map((flag_key) => ({ flag_key })) }),
      ),
    )
    const { trace, ...evaluation } = explained([
      aFlag({ prerequisites: (flags[0] ?? []).map((flag_key) => ({ flag_key })) }),
      ...all,
    ])
    expect(evaluation.enabled).toBe(true)
    expect(JSON.stringify(trace).split('"decided"').length).toBeLessThanOrEqual(101)
  })
})
