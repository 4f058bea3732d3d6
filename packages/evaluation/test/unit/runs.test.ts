import { describe, expect, test, vi } from 'vitest'
import { type Attributes, createFlagSet } from '../../src/index.ts'
import { createRun, keep } from '../../src/run.ts'
import { aFlag, aRule, needs } from './builders.ts'

describe('what is kept of small values', () => {
  test('is made once for each function, and dropped whole at the 1,001st', () => {
    const run = createRun()
    const made: string[] = []
    const upper = (value: unknown) => {
      made.push(String(value))
      return String(value).toUpperCase()
    }
    const lower = (value: unknown) => String(value).toLowerCase()
    const texts = Array.from({ length: 1000 }, (_, at) => `v${at}`)
    for (const text of texts) expect(keep(run, text, upper)).toBe(text.toUpperCase())
    for (const text of texts) expect(keep(run, text, upper)).toBe(text.toUpperCase())
    expect(made).toHaveLength(1000)
    // Another function has its own results, and its first one is one too many.
    expect(keep(run, 'v1', lower)).toBe('v1')
    expect([...run.kept.values()].reduce((sum, { size }) => sum + size, 0)).toBe(1)
    expect(keep(run, 'v1', upper)).toBe('V1')
    expect(made).toHaveLength(1001)
  })

  test('a thousand users with the same texts parse nothing more', () => {
    const set = createFlagSet([
      aFlag({
        rollout_percentage: 0,
        rules: [
          aRule({ attribute: 'app', operator: 'semver_greater_than', values: ['9.0.0'] }),
          aRule({ attribute: 'app', operator: 'not_semver_equal', values: ['1.2.3'] }),
          aRule({ attribute: 'since', operator: 'before', values: ['2020-01-01T00:00:00Z'] }),
        ],
      }),
    ])
    const attributes = { app: '1.2.3', since: '2026-03-01T12:00:00Z' }
    const parsed = vi.spyOn(RegExp.prototype, 'exec')
    set.resolve('flag', 'first', attributes)
    const first = parsed.mock.calls.length
    for (let user = 0; user < 1000; user++) set.resolve('flag', `user-${user}`, { ...attributes })
    const all = parsed.mock.calls.length
    parsed.mockRestore()
    expect(first).toBeGreaterThanOrEqual(2)
    expect(all).toBe(first)
  })

  test('holds for values of every type, however many there are', () => {
    const flag = aFlag({
      rollout_percentage: 0,
      rules: [
        aRule({ attribute: 'app', operator: 'semver_greater_than', values: ['1.5.0'] }),
        aRule({ attribute: 'at', operator: 'before', values: ['500'] }),
      ],
    })
    const set = createFlagSet([flag])
    for (let round = 0; round < 3; round++)
      for (let at = 0; at < 1500; at += 1) {
        const fresh = createFlagSet([flag])
        for (const attributes of [{ app: `1.${at % 10}.${at}` }, { at }, { at: String(at) }, { app: true }])
          expect(set.isEnabled('flag', 'ann', attributes)).toBe(fresh.isEnabled('flag', 'ann', attributes))
        at += round * 97
      }
  })
})

test('an evaluation inside another one changes neither', () => {
  const contains = (attribute: string) => aRule({ attribute, operator: 'contains', values: ['z'] })
  const set = createFlagSet([
    aFlag({
      key: 'outer',
      prerequisites: [needs('shared')],
      rollout_percentage: 0,
      rules: [contains('large'), contains('calling'), contains('other')],
    }),
    aFlag({ key: 'inner', rollout_percentage: 0, prerequisites: [needs('shared')], rules: [contains('it')] }),
    aFlag({ key: 'shared', rules: [contains('other')] }),
  ])
  const inner = { it: 'b'.repeat(100), other: 'c'.repeat(200) }
  const plain = { large: 'b'.repeat(1000), other: 'd'.repeat(300), calling: 'az' }
  const stepsOf = (key: string, attributes: Attributes): number => {
    const before = set.steps
    set.resolve(key, 'ann', attributes)
    return set.steps - before
  }
  const alone = [stepsOf('inner', inner), stepsOf('outer', plain)]
  expect(alone.every((steps) => steps > 0)).toBe(true)

  let calls = 0
  const results: unknown[] = []
  const calling = {
    ...plain,
    get calling() {
      calls++
      results.push(set.resolve('inner', 'ben', inner))
      return 'az'
    },
  }
  const before = set.steps
  expect(set.resolve('outer', 'ann', calling)).toEqual(set.resolve('outer', 'ann', plain))
  expect(set.steps - before).toBe(calls * (alone[0] ?? 0) + 2 * (alone[1] ?? 0))
  expect(calls).toBeGreaterThan(0)
  for (const result of results) expect(result).toEqual(set.resolve('inner', 'ben', inner))
})

describe('a rule behind the one that matches has no effect', () => {
  const many = Array.from({ length: 100_001 }, (_, at) => String(at))
  const plans = Array.from({ length: 9 }, (_, at) => aRule({ attribute: 'plan', values: [`plan-${at}`] }))
  const reading = [
    aRule({ attribute: 'it', operator: 'greater_than', values: ['5'] }),
    aRule({ attribute: 'it', operator: 'not_in', values: ['5'] }),
    aRule({ attribute: 'it', values: ['x'] }),
    aRule({
      attribute: 'plan',
      values: ['plan-3'],
      conditions: [{ attribute: 'it', operator: 'equals', values: ['x'] }],
    }),
  ]
  test.each(reading)('although it reads too many elements: $operator of $attribute', (rule) => {
    const behind = createFlagSet([aFlag({ rules: [...plans, rule] })])
    expect(behind.resolve('flag', 'ann', { plan: 'plan-3', it: many })).toMatchObject({
      reason: 'TARGETING_MATCH',
      rule_index: 3,
    })
    const before = createFlagSet([aFlag({ rules: [rule, ...plans] })])
    expect(before.resolve('flag', 'ann', { plan: 'plan-3', it: many }).reason).toBe('ERROR')
    expect(before.resolve('flag', 'ann', { plan: 'plan-3', it: many }).message).toContain('100000 elements')
    // The elements of nested lists and the lists themselves count: 100,000 pass.
    const fit = [many.slice(2, 50_000), many.slice(50_000, 100_000)]
    expect(before.resolve('flag', 'ann', { plan: 'plan-3', it: fit }).reason).toBe('TARGETING_MATCH')
  })
})
