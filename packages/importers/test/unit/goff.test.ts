import { expect, test } from 'vitest'
import { compile, importData } from './harness.ts'

const flag = (query: string) => ({
  ...{ variations: { yes: true, no: false }, targeting: [{ query, variation: 'yes' }] },
  defaultRule: { variation: 'no' },
})
const isOn = (query: string, attributes: object, userKey = 'user-1') => {
  const imported = importData('goff', [{ flag: flag(query) }])
  expect(imported.report.flags[0]?.notes).toEqual([])
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
    ['plan eq "a" or plan eq "b" and age gt 17', { plan: 'a' }, true],
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
    'plan eq "a" plan eq "b"',
    'name gt "m"',
  ]) {
    const { environments, report } = importData('goff', [{ flag: flag(query) }])
    expect([query, report.flags[0]?.class]).toEqual([query, 'approximated'])
    expect(environments[0]?.flags[0]?.rules).toEqual([])
  }
})
