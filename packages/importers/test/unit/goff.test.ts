import { expect, test } from 'vitest'
import { compile, importData } from './harness.ts'

const flag = (query: string) => ({
  ...{ variations: { yes: true, no: false }, targeting: [{ query, variation: 'yes' }] },
  defaultRule: { variation: 'no' },
})
const isOn = (query: string, attributes: object, userKey = 'user-1') => {
  const imported = importData('goff', [{ flag: flag(query) }])
  expect(imported.report.flags[0]?.class).toBe('exact')
  return compile(imported).isEnabled('flag', userKey, attributes as never)
}

test('queries hold for the users for whom they do there', () => {
  const rows: readonly [string, object, boolean][] = [
    ['plan eq "pro"', { plan: 'pro' }, true],
    ['plan == "pro"', { plan: 'team' }, false],
    ['plan ne "pro"', { plan: 'team' }, true],
    ['plan ne "pro"', {}, false],
    ['not (plan eq "pro")', {}, true],
    ['age gt 17', { age: 18 }, true],
    ['age ge 18 and age le 18', { age: 18 }, true],
    ['age lt 18 or plan pr', { age: 18 }, false],
    ['age lt 18 or plan pr', { age: 18, plan: 'x' }, true],
    ['email ew "@example.com"', { email: 'a@example.com' }, true],
    ['email sw "a@"', { email: 'a@example.com' }, true],
    ['email co "EXAMPLE"', { email: 'a@example.com' }, true],
    ['plan in ["pro", "team"]', { plan: 'team' }, true],
    ['key eq "user-1"', {}, true],
    ['beta eq true', { beta: true }, true],
    ['version gt 1.9.0', { version: '1.10.0' }, true],
    ['company.name eq "acme"', { 'company.name': 'acme' }, true],
    // `and` and `or` have the same rank.
    ['plan eq "a" or plan eq "b" and age gt 17', { plan: 'a' }, false],
    ['plan eq "a" and age gt 17 or plan eq "b"', { plan: 'b' }, true],
    ['plan eq "a" or (plan eq "b" and age gt 17)', { plan: 'a' }, true],
    // Texts are compared in any case, except in lists.
    ['plan eq "PRO"', { plan: 'pro' }, true],
    ['plan ne "PRO"', { plan: 'pro' }, false],
    ['plan in ["PRO"]', { plan: 'pro' }, false],
    // Whole numbers are compared with the whole part.
    ['age gt 18', { age: 18.5 }, false],
    ['age eq 18', { age: 18.5 }, true],
    ['age ne 18', { age: 18.5 }, false],
    ['age ge 0', { age: -0.5 }, true],
    ['age lt 0', { age: -0.5 }, false],
    ['age le -1', { age: -1 }, true],
    ['age gt 18.0', { age: 18.5 }, true],
    // Only whole versions are versions.
    ['version gt 1.9.0', { version: '2.0' }, false],
    ['version gt 1.9.0', { version: 'v2.0.0' }, false],
    ['version ne 1.9.0', { version: '1.9' }, false],
    // A version in quotes is a text: 10 comes before 2.
    ['version ge "2.0.0"', { version: '10.0.0' }, false],
    ['version ge "2.0.0"', { version: '2.0.0' }, true],
    ['version gt "2.0.0"', { version: '2.0.0' }, false],
    ['version lt "2.0.0"', { version: '10.0.0' }, true],
    ['version lt "2.0.0"', {}, false],
    ['plan le "PRO"', { plan: 'pro' }, true],
    ['plan le "PRO"', { plan: 'pro1' }, false],
    ['plan gt "a"', { plan: '_' }, false],
    ['anonymous eq false', {}, true],
    ['anonymous pr', {}, true],
    ['plan eq null', {}, true],
    ['plan eq "a"\nor plan eq "b"', { plan: 'a' }, true],
    ['{"==": [{"var": "key"}, "user-1"]}', {}, true],
    ['{"==": [{"var": "beta"}, false]}', {}, false],
    ['{"==": [{"var": "plan"}, "pro"]}', { plan: 'pro' }, true],
  ]
  for (const [query, user, expected] of rows) expect([query, isOn(query, user)]).toEqual([query, expected])
})

test('percentages are weights by the hash of GO Feature Flag', () => {
  const { environments, report } = importData('goff', [
    {
      'color-box': {
        variations: { green: 'green', red: 'red' },
        defaultRule: { percentage: { red: 90, green: 10 } },
        ...{ bucketingKey: 'team', metadata: { owner: 'ui', weight: 3 } },
      },
    },
  ])
  expect(report.flags[0]?.class).toBe('exact')
  expect(environments[0]?.flags[0]).toMatchObject({
    ...{ flag_type: 'string', hash: 'go_feature_flag', variant_salt: 'color-box', bucket_by: 'team' },
    // In the order of their names, backwards, as there.
    variants: [
      { value: 'red', weight: 90_000 },
      { value: 'green', weight: 10_000 },
    ],
    metadata: { owner: 'ui', weight: 3 },
  })
})

test('what changes with the clock is as it is now, and says so', () => {
  const data = {
    growing: {
      variations: { on: 'on', off: 'off' },
      defaultRule: {
        progressiveRollout: {
          initial: { variation: 'off', percentage: 0, date: '2026-01-01T00:00:00Z' },
          end: { variation: 'on', percentage: 100, date: '2026-01-03T00:00:00Z' },
        },
      },
    },
  }
  const nowMs = Date.parse('2026-01-02T00:00:00Z')
  const { environments, report } = importData('goff', [data], { nowMs })
  expect(report.flags[0]).toMatchObject({ class: 'approximated', notes: [{ code: 'clock' }] })
  expect(environments[0]?.flags[0]?.variants).toEqual([
    { value: 'on', weight: 50_000 },
    { value: 'off', weight: 50_000 },
  ])
})

test('a query that cannot be read leaves its rule out, with the reason', () => {
  for (const query of [
    'plan eq',
    'plan like "x"',
    '(plan eq "x"',
    `plan gt "${'m'.repeat(20)}"`,
    'plan  eq "a"',
    'not plan eq "a"',
    'plan in ["a", 1]',
    'plan in []',
    'beta gt true',
    '{"starts_with": [{"var": "plan"}, "p"]}',
    '{"fractional": [["a", 100]]}',
  ]) {
    const { environments, report } = importData('goff', [{ flag: flag(query) }])
    expect([query, report.flags[0]?.class]).toEqual([query, 'approximated'])
    expect(environments[0]?.flags[0]?.rules).toEqual([])
  }
})

test('a query ends where neither "and" nor "or" follows, and the report says so', () => {
  const endings = [
    ' OR plan eq "b"',
    ' AND plan eq "b"',
    ' && plan eq "b"',
    '\nor plan eq "b"',
    '  or plan eq "b"',
  ]
  for (const ending of endings) {
    const imported = importData('goff', [{ flag: flag(`plan eq "a"${ending}`) }])
    const notes = [{ code: 'query_end', message: expect.stringContaining('plan eq \\"b\\"') }]
    expect([ending, imported.report.flags[0]]).toMatchObject([ending, { class: 'exact', notes }])
    const set = compile(imported)
    expect(['a', 'b'].map((plan) => set.isEnabled('flag', 'u1', { plan }))).toEqual([true, false])
  }
})

test('what the engine reads in its own way inside objects is approximated', () => {
  for (const query of ['user.plan eq "a" or beta eq true', 'user.age in [1, 2]']) {
    const { report } = importData('goff', [{ flag: flag(query) }])
    expect([query, report.flags[0]?.class]).toEqual([query, 'approximated'])
  }
  expect(importData('goff', [{ flag: flag('user.plan eq "a"') }]).report.flags[0]?.class).toBe('exact')
})

test('steps and experiments that the clock has passed count, and later ones are in the notes', () => {
  const base = { variations: { on: 'hit', off: 'miss' }, defaultRule: { variation: 'off' } }
  const rule = { name: 'pros', query: 'plan eq "pro"', variation: 'off' }
  const flags = {
    stepped: {
      ...{ ...base, targeting: [rule] },
      scheduledRollout: [
        { date: '2026-02-01T00:00:00Z', targeting: [{ name: 'pros', variation: 'on' }] },
        { date: '2026-01-01T00:00:00Z', targeting: [{ name: 'pros', query: 'plan eq "team"' }] },
      ],
    },
    later: {
      ...base,
      scheduledRollout: [{ date: '2027-01-01T00:00:00Z', defaultRule: { variation: 'on' } }],
    },
    over: { ...base, experimentation: { start: '2026-01-01T00:00:00Z', end: '2026-02-01T00:00:00Z' } },
    running: { ...base, experimentation: { start: '2026-01-01T00:00:00Z' } },
    early: { ...base, experimentation: { start: '2027-01-01T00:00:00Z' } },
  }
  const imported = importData('goff', [flags], { nowMs: Date.parse('2026-06-01T00:00:00Z') })
  const set = compile(imported)
  const valueFor = (key: string) => set.evaluate(key, { userKey: 'u1', attributes: { plan: 'team' } }).value
  expect(imported.report.flags.map(({ class: found, key }) => [key, found, valueFor(key)])).toEqual([
    ['stepped', 'exact', 'hit'],
    ['later', 'approximated', 'miss'],
    ['over', 'exact', null],
    ['running', 'exact', 'miss'],
    ['early', 'approximated', null],
  ])
})

test('a progressive rollout serves its first variation until it begins', () => {
  const progressiveRollout = {
    initial: { variation: 'off', percentage: 40, date: '2026-01-01T00:00:00Z' },
    end: { variation: 'on', percentage: 60, date: '2026-02-01T00:00:00Z' },
  }
  const flags = { growing: { variations: { on: 'on', off: 'off' }, defaultRule: { progressiveRollout } } }
  const at = (time: string) => importData('goff', [flags], { nowMs: Date.parse(time) })
  expect(at('2025-12-01T00:00:00Z').environments[0]?.flags[0]).toMatchObject({
    default_value: 'off',
    variants: [],
  })
  const after = at('2026-03-01T00:00:00Z')
  expect(after.report.flags[0]?.class).toBe('exact')
  expect(after.environments[0]?.flags[0]?.variants).toMatchObject([{ weight: 60_000 }, { weight: 40_000 }])
})
