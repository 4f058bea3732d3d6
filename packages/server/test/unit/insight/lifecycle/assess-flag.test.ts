import { describe, expect, it } from 'vitest'
import {
  assessFlag,
  type EnvironmentFacts,
  type Window,
} from '../../../../src/insight/lifecycle/assess-flag.ts'

const WINDOW: Window = { days: 30, since: '2026-01-21T00:00:00.000Z', now: '2026-02-20T00:00:00.000Z' }
const OLD = '2025-06-01T00:00:00.000Z'
const LATELY = '2026-02-10T00:00:00.000Z'

const facts = (fields: Partial<EnvironmentFacts> = {}): EnvironmentFacts => ({
  ...{ environment_id: 'production', name: 'Production', impressions: 0, isReporting: true },
  ...{ created_at: OLD, updated_at: OLD, expires_at: null, isPermanent: false, isEnabled: true },
  ...fields,
})
const staging = { environment_id: 'staging', name: 'Staging' }
const served = (value: boolean, fields: Partial<EnvironmentFacts> = {}) =>
  facts({ impressions: 500, onlyValue: String(value), constant: { value }, ...fields })
const NEEDED = [{ kind: 'flag', key: 'other' }] as const

interface Labelled {
  readonly name: string
  /** True where a person who knows the code would remove the flag. */
  readonly isDead: boolean
  readonly environments: readonly EnvironmentFacts[]
  readonly dependants?: readonly { readonly kind: 'flag'; readonly key: string }[]
}

/** Thirty kinds of flags by what became of them. Each is in the set ten times, with other counts and days. */
const KINDS: readonly Labelled[] = [
  { name: 'launched everywhere', isDead: true, environments: [served(true), served(true, staging)] },
  {
    name: 'launched, staging is quiet',
    isDead: true,
    environments: [served(true), facts({ ...staging, isReporting: false })],
  },
  { name: 'launched, staging not evaluated', isDead: true, environments: [served(true), facts(staging)] },
  { name: 'launched and expired', isDead: true, environments: [served(true, { expires_at: LATELY })] },
  { name: 'given up, still in code', isDead: true, environments: [served(false), served(false, staging)] },
  { name: 'removed from code', isDead: true, environments: [facts(), facts(staging)] },
  { name: 'removed from code in one environment', isDead: true, environments: [facts()] },
  { name: 'removed from code, was off', isDead: true, environments: [facts({ constant: { value: false } })] },
  {
    name: 'removed from code, with rules',
    isDead: true,
    environments: [facts(), facts({ ...staging, expires_at: OLD })],
  },
  {
    name: 'launched with rules that match everybody',
    isDead: true,
    environments: [served(true, { impressions: 900 })],
  },
  {
    name: 'launched at 100% of a rule',
    isDead: true,
    environments: [facts({ impressions: 90, onlyValue: 'true', expires_at: LATELY })],
  },
  { name: 'dead, but nobody reports', isDead: true, environments: [facts({ isReporting: false })] },
  { name: 'launched, another flag needs it', isDead: true, environments: [served(true)], dependants: NEEDED },
  { name: 'on trial', isDead: false, environments: [facts({ impressions: 500 })] },
  {
    name: 'on trial, constant in staging',
    isDead: false,
    environments: [facts({ impressions: 500 }), served(true, staging)],
  },
  {
    name: 'on in staging, off in production',
    isDead: false,
    environments: [served(false), served(true, staging)],
  },
  { name: 'launched last week', isDead: true, environments: [served(true, { updated_at: LATELY })] },
  {
    name: 'created last week, off',
    isDead: false,
    environments: [served(false, { created_at: LATELY, updated_at: LATELY })],
  },
  {
    name: 'created last week, not yet in code',
    isDead: false,
    environments: [facts({ created_at: LATELY, updated_at: LATELY })],
  },
  {
    name: 'launched, in staging too since last week',
    isDead: true,
    environments: [served(true), served(true, { ...staging, updated_at: LATELY })],
  },
  { name: 'kill switch', isDead: false, environments: [served(true, { isPermanent: true })] },
  { name: 'kill switch that is never asked', isDead: false, environments: [facts({ isPermanent: true })] },
  {
    name: 'kill switch, permanent in one environment',
    isDead: false,
    environments: [served(true), served(true, { ...staging, isPermanent: true })],
  },
  { name: 'targeted at a plan', isDead: false, environments: [facts({ impressions: 20_000 })] },
  {
    name: 'targeted, few users so far',
    isDead: false,
    environments: [facts({ impressions: 3, onlyValue: 'false', updated_at: LATELY })],
  },
  {
    name: 'yearly sale with a rule',
    isDead: false,
    environments: [facts({ impressions: 800, onlyValue: 'false' })],
  },
  {
    name: 'monthly job, service reports nothing',
    isDead: false,
    environments: [facts({ isReporting: false })],
  },
  {
    name: 'used by a program that reports nothing in staging',
    isDead: false,
    environments: [facts(), facts({ ...staging, isReporting: false })],
  },
  { name: 'needed, not evaluated itself', isDead: false, environments: [facts()], dependants: NEEDED },
  { name: 'in an experiment', isDead: false, environments: [served(true)], dependants: NEEDED },
]
const SET = KINDS.flatMap((kind) =>
  Array.from({ length: 10 }, (_, at) => ({
    ...kind,
    environments: kind.environments.map((one) => ({
      ...one,
      impressions: one.impressions === 0 ? 0 : one.impressions + at * 37,
      updated_at: new Date(Date.parse(one.updated_at) + at * 3_600_000).toISOString(),
    })),
  })),
)

const assess = ({ dependants = [], environments }: Labelled) =>
  assessFlag({ flag_key: 'flag', environments, dependants: [...dependants] }, WINDOW)

describe('the verdict over 300 labeled flags', () => {
  const removed = SET.filter((flag) => assess(flag).verdict === 'remove')
  const dead = SET.filter(({ isDead }) => isDead)

  it('removes dead flags only, and most of them (docs/trust.md names the share)', () => {
    expect(SET).toHaveLength(300)
    expect(removed.filter(({ isDead }) => !isDead).map(({ name }) => name)).toEqual([])
    expect(removed.length / dead.length).toBeCloseTo(120 / 150)
  })

  it('asks about the dead ones that it does not remove, except where nothing is reported', () => {
    const others = dead.filter((flag) => !removed.includes(flag))
    const kept = others.filter((flag) => assess(flag).verdict === 'keep')
    expect(new Set(kept.map(({ name }) => name))).toEqual(new Set(['dead, but nobody reports']))
  })
})

describe('a verdict', () => {
  it('names the value to keep and the evidence for it', () => {
    expect(assessFlag({ flag_key: 'x', environments: [served(true)], dependants: [] }, WINDOW)).toEqual({
      flag_key: 'x',
      verdict: 'remove',
      keep_value: true,
      dependants: [],
      evidence: [
        {
          code: 'constant_proved',
          environment_id: 'production',
          since: OLD,
          text: 'Production: every user gets true',
        },
        {
          ...{ code: 'constant_seen', environment_id: 'production', since: WINDOW.since },
          text: 'Production: all 500 evaluations in 30 days gave true',
        },
        {
          code: 'unchanged',
          environment_id: 'production',
          since: OLD,
          text: 'Production: not changed in 30 days',
        },
      ],
    })
  })

  it('counts one evaluation and one day in the singular', () => {
    const environments = [served(true, { impressions: 1 })]
    const { evidence } = assessFlag({ flag_key: 'x', environments, dependants: [] }, { ...WINDOW, days: 1 })
    expect(evidence.map(({ text }) => text)).toEqual([
      'Production: every user gets true',
      'Production: the only evaluation in a day gave true',
      'Production: not changed in a day',
    ])
  })
})
