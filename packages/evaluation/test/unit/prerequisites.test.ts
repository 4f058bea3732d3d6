import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFlagSet, type EvaluatedFlag, type JsonValue, type TargetingRule } from '../../src/index.ts'
import { aFlag, aRule, aStringFlag, needs, weighted } from './builders.ts'
import { referenceEvaluate } from './reference/reference-evaluate.ts'

/** f0 needs f1 needs f2 and so on, `levels` times. */
function chain(levels: number): EvaluatedFlag[] {
  return Array.from({ length: levels + 1 }, (_, level) =>
    aFlag({ key: `f${level}`, prerequisites: level === levels ? [] : [needs(`f${level + 1}`)] }),
  )
}

const satisfied = (flags: EvaluatedFlag[], attributes = {}, userKey: string | null = 'ann') =>
  createFlagSet(flags).resolve('flag', userKey, attributes).enabled

describe('a prerequisite', () => {
  const flag = aFlag({ prerequisites: [needs('base')] })

  test.each<[string, EvaluatedFlag[], boolean]>([
    ['that is enabled is satisfied', [aFlag({ key: 'base' })], true],
    ['that is missing is unsatisfied', [], false],
    ['that is disabled is unsatisfied', [aFlag({ key: 'base', is_enabled: false })], false],
    [
      'that is disabled with the value true is unsatisfied',
      [aFlag({ key: 'base', is_enabled: false, disabled_value: true })],
      false,
    ],
    ['outside its rollout is unsatisfied', [aFlag({ key: 'base', rollout_percentage: 0 })], false],
    [
      'that is enabled with the value false is satisfied',
      [aFlag({ key: 'base', default_value: false })],
      true,
    ],
    ['of another type is satisfied when it is enabled', [aStringFlag({ key: 'base' })], true],
    ['that is archived is unsatisfied', [aFlag({ key: 'base', archived_at: '2030-01-01T00:00:00Z' })], false],
    ['that is malformed is unsatisfied', [aFlag({ key: 'base', rollout_percentage: 101 })], false],
  ])('%s', (_title, others, expected) => {
    expect(satisfied([flag, ...others])).toBe(expected)
  })

  test('a getter of the attributes that evaluates another user does not change the result', () => {
    const rulesOnly = { rollout_percentage: 0 }
    const set = createFlagSet([
      aFlag({ prerequisites: [needs('shared'), needs('between')] }),
      aFlag({ key: 'between', prerequisites: [needs('shared')] }),
      aFlag({ key: 'shared', prerequisites: [needs('base')], ...rulesOnly, rules: [aRule()] }),
      aFlag({ key: 'base', ...rulesOnly, rules: [aRule({ values: ['pro', 'free'] })] }),
    ])
    const others: boolean[] = []
    const attributes = {
      get plan() {
        others.push(set.resolve('flag', 'ben', { plan: 'free' }).enabled)
        return 'pro'
      },
    }
    expect(set.resolve('flag', 'ann', attributes).enabled).toBe(true)
    expect(others.length).toBeGreaterThan(1)
    expect(others).not.toContain(true)
  })

  test('a prerequisite is evaluated for the same user and attributes', () => {
    const base = aFlag({ key: 'base', rollout_percentage: 0, rules: [aRule()] })
    expect(satisfied([flag, base], { plan: 'pro' })).toBe(true)
    expect(satisfied([flag, base], { plan: 'free' })).toBe(false)
    const half = aFlag({ key: 'base', rollout_percentage: 50 })
    for (const user of ['ann', 'ben', 'cas', 'dee', 'eve', 'fay']) {
      expect(satisfied([flag, half], {}, user)).toBe(createFlagSet([half]).isEnabled('base', user))
    }
  })

  test.each<[string, Partial<EvaluatedFlag>, JsonValue, boolean]>([
    ['the value', { flag_type: 'string', default_value: 'on' }, 'on', true],
    ['another value', { flag_type: 'string', default_value: 'on' }, 'off', false],
    ['a value of another type', { flag_type: 'integer', default_value: 1 }, '1', false],
    ['false on an enabled flag', { default_value: false }, false, true],
    ['true on an enabled flag of false', { default_value: false }, true, false],
    ['the value of a disabled flag', { is_enabled: false, disabled_value: false }, false, false],
    ['null, which asks for nothing', { flag_type: 'string', default_value: 'on' }, null, true],
    [
      'deeply equal json',
      { flag_type: 'json', default_value: { a: [1, { b: null }], c: 2 } },
      { c: 2, a: [1, { b: null }] },
      true,
    ],
    ['json in another order', { flag_type: 'json', default_value: [1, 2] }, [2, 1], false],
    ['json with less', { flag_type: 'json', default_value: { a: 1, b: 2 } }, { a: 1 }, false],
    ['json with more', { flag_type: 'json', default_value: { a: 1 } }, { a: 1, b: 2 }, false],
    ['an array for an object', { flag_type: 'json', default_value: { 0: 'a' } }, ['a'], false],
    ['an object for null', { flag_type: 'json', default_value: { a: null } }, { a: {} }, false],
    ['an inherited name', { flag_type: 'json', default_value: { a: 1 } }, { toString: 1 }, false],
  ])('a prerequisite with required_value: %s', (_title, stated, required, expected) => {
    expect(
      satisfied([aFlag({ prerequisites: [needs('base', required)] }), aFlag({ key: 'base', ...stated })]),
    ).toBe(expected)
  })

  test('required_value of a prerequisite may be the variant of a rule or of the weights', () => {
    const base = aStringFlag({ key: 'base', rules: [aRule({ variant: 'ruled' })], variants: weighted(0, 1) })
    expect(satisfied([aFlag({ prerequisites: [needs('base', 'ruled')] }), base], { plan: 'pro' })).toBe(true)
    expect(satisfied([aFlag({ prerequisites: [needs('base', 'b')] }), base])).toBe(true)
    expect(satisfied([aFlag({ prerequisites: [needs('base', 'a')] }), base])).toBe(false)
  })

  test('all prerequisites must be satisfied; the first that is not is named', () => {
    const on = [aFlag({ key: 'one' }), aFlag({ key: 'two' })]
    const off = aFlag({ key: 'three', is_enabled: false })
    expect(satisfied([aFlag({ prerequisites: [needs('one'), needs('two')] }), ...on])).toBe(true)
    const failing = aStringFlag({ prerequisites: [needs('one'), needs('three'), needs('four')] })
    expect(createFlagSet([failing, ...on, off]).resolve('flag', 'ann')).toMatchObject({
      value: 'off',
      enabled: false,
      reason: 'PREREQUISITE_FAILED',
      prerequisite_key: 'three',
    })
  })
})

describe('the depth of prerequisites', () => {
  test('a chain of 10 prerequisites is evaluated, an 11th level is unsatisfied', () => {
    expect(createFlagSet(chain(9)).isEnabled('f0')).toBe(true)
    expect(createFlagSet(chain(10)).isEnabled('f0')).toBe(true)
    expect(createFlagSet(chain(11)).isEnabled('f0')).toBe(false)
    expect(createFlagSet(chain(11)).isEnabled('f1')).toBe(true)
    expect(createFlagSet(chain(10_000)).isEnabled('f0')).toBe(false)
  })

  test('the depth of prerequisites is that of the longest path to a flag, not of the first', () => {
    const flags = chain(11)
    for (const prerequisites of [
      [needs('f6'), needs('f1')],
      [needs('f1'), needs('f6')],
      [needs('f6'), needs('f2')],
      [needs('f2'), needs('f6')],
    ]) {
      const all = [aFlag({ key: 'top', prerequisites }), ...flags]
      expect(createFlagSet(all).resolve('top')).toEqual(referenceEvaluate(all, 'top'))
    }
  })

  test.each([1, 2, 3, 10, 11, 50])('a cycle of %i prerequisites is unsatisfied for each flag', (length) => {
    const flags = Array.from({ length }, (_, index) =>
      aFlag({ key: `f${index}`, prerequisites: [needs(`f${(index + 1) % length}`)] }),
    )
    const set = createFlagSet([...flags, aFlag({ key: 'top', prerequisites: [needs('f0')] })])
    for (const { key } of flags) expect(set.resolve(key, 'ann').reason).toBe('PREREQUISITE_FAILED')
    expect(set.isEnabled('top')).toBe(false)
  })

  test('prerequisites cost at most linear time in the visited flags, for any graph', () => {
    // Ten layers of thirty flags, each with the whole next layer as prerequisites: 30^10 paths. Every read of
    // an attribute counts.
    let reads = 0
    const attributes = {
      get plan() {
        reads++
        return 'pro'
      },
    }
    const layers = Array.from({ length: 11 }, (_, layer) =>
      Array.from({ length: 30 }, (_, index) =>
        aFlag({
          key: `${layer}-${index}`,
          rollout_percentage: 0,
          rules: [aRule()],
          prerequisites:
            layer === 10 ? [] : Array.from({ length: 30 }, (_, next) => needs(`${layer + 1}-${next}`)),
        }),
      ),
    )
    expect(createFlagSet(layers.flat()).isEnabled('0-0', 'ann', attributes)).toBe(true)
    expect(reads).toBeLessThanOrEqual(10 * 301)
  })

  test('prerequisites cost at most linear time when every flag needs every other', () => {
    let reads = 0
    const attributes = {
      get plan() {
        reads++
        return 'pro'
      },
    }
    const keys = Array.from({ length: 60 }, (_, index) => `f${index}`)
    const flags = keys.map((key) =>
      aFlag({ key, rules: [aRule()], prerequisites: [needs('leaf'), ...keys.map((other) => needs(other))] }),
    )
    const leaf = aFlag({ key: 'leaf', rollout_percentage: 0, rules: [aRule()] })
    expect(createFlagSet([...flags, leaf]).isEnabled('f0', 'ann', attributes)).toBe(false)
    expect(reads).toBeLessThanOrEqual(10 * 61)
  })

  test('prerequisites of any graph give the result of plain recursion to the depth limit', () => {
    const graph = fc.array(
      fc.record({
        is_enabled: fc.boolean(),
        rollout_percentage: fc.constantFrom(0, 50, 100, 100, 100),
        rules: fc.constantFrom<TargetingRule[]>([], [], [aRule()]),
        references: fc.array(fc.nat({ max: 25 }), { maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 20 },
    )
    fc.assert(
      fc.property(
        graph,
        fc.constantFrom({}, { plan: 'pro' }),
        fc.boolean(),
        (nodes, attributes, mostlyForward) => {
          const flags = nodes.map(({ references, is_enabled, ...node }, index) =>
            aFlag({
              ...node,
              key: `f${index}`,
              is_enabled: is_enabled || index % 5 !== 0,
              prerequisites: references.map((reference) =>
                needs(`f${mostlyForward ? index + 1 + (reference % 3) : reference}`),
              ),
            }),
          )
          // Without this last flag, reading past the end would fail every chain.
          for (let beyond = flags.length, end = beyond + 3; beyond < end; beyond++)
            flags.push(aFlag({ key: `f${beyond}` }))
          const set = createFlagSet(flags)
          for (const { key } of flags) {
            expect(set.resolve(key, 'ann', attributes)).toEqual(
              referenceEvaluate(flags, key, 'ann', attributes),
            )
          }
        },
      ),
      { numRuns: 400 },
    )
  })
})

describe('replacing a prerequisite', () => {
  test('replacing a prerequisite affects the flags that need it, added before or after it', () => {
    const set = createFlagSet([aFlag({ prerequisites: [needs('base')] })])
    expect(set.isEnabled('flag')).toBe(false)
    set.upsert(aFlag({ key: 'base' }))
    expect(set.isEnabled('flag')).toBe(true)
    set.upsert(aFlag({ key: 'base', is_enabled: false }))
    expect(set.isEnabled('flag')).toBe(false)
    set.upsert(aFlag({ key: 'base', rules: [aRule()], rollout_percentage: 0 }))
    expect(set.isEnabled('flag', 'ann', { plan: 'pro' })).toBe(true)
    set.remove('base')
    expect(set.isEnabled('flag')).toBe(false)
    set.upsert(aFlag({ key: 'base' }))
    expect(set.isEnabled('flag')).toBe(true)
  })
})
