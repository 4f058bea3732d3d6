import { readdirSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import {
  type Attributes,
  createFlagSet,
  type EvaluatedFlag,
  type Evaluation,
  EXTENSIONS,
  listRequirements,
  OPERATORS,
  type Operator,
  type TargetingRule,
} from '../../src/index.ts'
import { MURMUR3_START, murmur3 } from '../../src/murmur3.ts'
import { aFlag, aRule } from './builders.ts'
import { referenceEvaluate } from './reference/reference-evaluate.ts'
import { referenceMurmur3 } from './reference/reference-murmur3.ts'

/** The published vectors, compared with the evaluator and with the independent reference. */
function read<Vector>(name: string): Vector[] {
  const file = new URL(`../../vectors/${name}.json`, import.meta.url)
  const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] }
  expect(vectors.length).toBeGreaterThan(10)
  return vectors
}

interface Answered {
  title: string
  flags: (Partial<EvaluatedFlag> & { key: string; archived_at?: string })[]
  flag_key: string
  user_key: string | null
  attributes: Record<string, unknown>
  expected: Evaluation
}

test('this test runs every file of vectors', () => {
  const names = readdirSync(new URL('../../vectors', import.meta.url)).sort()
  expect(names).toEqual(
    [
      'bounds',
      'buckets',
      'extensions',
      'flags',
      'hashes',
      'operators',
      'prerequisites',
      'segments',
      'variants',
    ].map((name) => `${name}.json`),
  )
})

test('the vectors of hashes hold', () => {
  for (const { text, hash } of read<{ text: string; hash: number }>('hashes')) {
    expect(referenceMurmur3(text), text).toBe(hash)
    expect(murmur3(text, MURMUR3_START) >>> 0, text).toBe(hash)
  }
})

test('the vectors of buckets hold', () => {
  type Bucket = { flag_key: string; user_key: string; bucket: number; variant_hash: number }
  for (const { flag_key, user_key, bucket, variant_hash } of read<Bucket>('buckets')) {
    expect(referenceMurmur3(`${flag_key}:${user_key}`) % 100).toBe(bucket)
    expect(referenceMurmur3(`variant:${flag_key}:${user_key}`)).toBe(variant_hash)
    const enabledAt = (rollout_percentage: number) =>
      createFlagSet([aFlag({ key: flag_key, rollout_percentage })]).isEnabled(flag_key, user_key)
    expect([enabledAt(bucket), enabledAt(bucket + 1)]).toEqual([false, true])
  }
})

test('the vectors of operators hold', () => {
  type Operated = { operator: Operator; values: string[]; attributes: Attributes; matches: boolean }
  for (const { operator, values, attributes, matches } of read<Operated>('operators')) {
    const flags = [aFlag({ rollout_percentage: 0, rules: [aRule({ attribute: 'it', operator, values })] })]
    const title = JSON.stringify({ operator, values, attributes })
    expect(createFlagSet(flags).isEnabled('flag', 'ann', attributes), title).toBe(matches)
    expect(referenceEvaluate(flags, 'flag', 'ann', { ...attributes }).enabled, title).toBe(matches)
  }
})

test('every operator has vectors that match and vectors that do not', () => {
  const vectors = read<{ operator: Operator; matches: boolean }>('operators')
  const outcomes = (operator: Operator) =>
    [true, false].filter((matches) =>
      vectors.some((vector) => vector.operator === operator && vector.matches === matches),
    )
  expect(OPERATORS.filter((operator) => outcomes(operator).length < 2)).toEqual([])
})

test('every hash and extension has vectors', () => {
  const used = read<Answered>('extensions').flatMap(({ flags }) => flags.flatMap(listRequirements))
  expect(EXTENSIONS.filter((extension) => !used.includes(extension))).toEqual(['hash:murmur3'])
})

/**
 * Every field of a flag and of a rule on the wire, with those that change no evaluation. The compiler refuses
 * a list that lacks a field. Fields of the control plane reach no evaluator.
 */
const FLAG_FIELDS = {
  ...{ key: 'names', metadata: 'delivered' },
  ...{ is_enabled: 'decides', rollout_percentage: 'decides', rollout_thousandths: 'decides' },
  ...{ rules: 'decides', variants: 'decides', prerequisites: 'decides', flag_type: 'decides' },
  ...{ default_value: 'decides', disabled_value: 'decides', variant_names: 'decides', requires: 'decides' },
  ...{ bucket_by: 'decides', rollout_salt: 'decides', variant_salt: 'decides', hash: 'decides' },
} satisfies Record<keyof EvaluatedFlag, string>
const RULE_FIELDS = {
  ...{ attribute: 'decides', operator: 'decides', values: 'decides', conditions: 'decides' },
  ...{ variant: 'decides', variants: 'decides', off: 'decides' },
  ...{ rollout_percentage: 'decides', rollout_thousandths: 'decides' },
  ...{ bucket_by: 'decides', rollout_salt: 'decides', variant_salt: 'decides', hash: 'decides' },
} satisfies Record<keyof TargetingRule, string>

type Field = keyof EvaluatedFlag | keyof TargetingRule
const without = (fields: object, removed: Field) =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => field !== removed))

/** Returns whether some vector of whole evaluations gives another result once the flags were changed. */
function isDecided(change: (flag: Answered['flags'][number]) => object): boolean {
  return ['flags', 'prerequisites', 'variants', 'extensions'].flatMap(read<Answered>).some((vector) => {
    const { attributes, expected, flag_key, flags, user_key } = vector
    if (expected.reason === 'ERROR') return false
    const result = createFlagSet(flags.map(change)).resolve(flag_key, user_key, attributes as Attributes)
    return !isDeepStrictEqual({ ...result }, expected)
  })
}

test.each(Object.entries(FLAG_FIELDS))('vectors show the field %s of a flag, which %s', (name, effect) => {
  const field = name as keyof EvaluatedFlag
  const shown = ['flags', 'extensions']
    .flatMap(read<Answered>)
    .filter(({ flags }) => flags.some((flag) => field in flag))
  expect(shown.length).toBeGreaterThan(0)
  if (field === 'requires') expect(shown.some(({ expected }) => expected.reason === 'ERROR')).toBe(true)
  else if (field !== 'key') expect(isDecided((flag) => without(flag, field))).toBe(effect === 'decides')
})

test.each(Object.keys(RULE_FIELDS))('vectors show what the field %s of a rule decides', (name) => {
  const field = name as keyof TargetingRule
  const strip = (flag: Answered['flags'][number]) =>
    Array.isArray(flag.rules) ? { ...flag, rules: flag.rules.map((rule) => without(rule, field)) } : flag
  expect(isDecided(strip)).toBe(true)
})

test('vectors of segments show every field that refers to them or is theirs', () => {
  const text = JSON.stringify(read('segments'))
  const fields = [
    'segment_key',
    'in_segment',
    'not_in_segment',
    'included_keys',
    'excluded_keys',
    '$user_key',
  ]
  expect(fields.filter((field) => !text.includes(`"${field}"`))).toEqual([])
})

describe.each(['flags', 'prerequisites', 'variants', 'extensions'])('the vectors of %s', (name) => {
  test.each(read<Answered>(name).map((vector) => [vector.title, vector.user_key, vector] as const))(
    'the vector %s holds for user %j',
    (_title, user_key, { flags, flag_key, attributes, expected }) => {
      expect(createFlagSet(flags).resolve(flag_key, user_key, attributes as Attributes)).toEqual(expected)
      if (expected.reason === 'ERROR') return
      // The reference does not handle archived or malformed flags, so both are left out.
      const sound = flags.filter((flag) => flag.archived_at === undefined && typeof flag.rules !== 'string')
      expect(referenceEvaluate(sound.map(aFlag), flag_key, user_key, attributes)).toEqual(expected)
    },
  )
})

interface Expanded extends Pick<Answered, 'title' | 'user_key' | 'attributes' | 'expected'> {
  flag: Answered['flags'][number]
  expanded: EvaluatedFlag['rules']
}

test.each(read<Expanded>('segments').map((vector) => [vector.title, vector] as const))(
  'segments: %s',
  (_title, { attributes, expanded, expected, flag, user_key }) => {
    const sent = aFlag({ ...flag, rules: expanded })
    expect(createFlagSet([sent]).resolve('flag', user_key, attributes as Attributes)).toEqual(expected)
    expect(referenceEvaluate([sent], 'flag', user_key, attributes)).toEqual(expected)
  },
)

/** Texts in short: one, repeated, or `count` texts of a prefix and a number. */
type Part = { text: string; times?: number } | { prefix: string; from: number; count: number }
interface Bounded {
  title: string
  flags: Record<string, unknown>[]
  user_key: Part
  attributes: Record<string, Part | Part[]>
  reason: Evaluation['reason']
  steps?: number
}

const expandPart = (part: Part): string[] =>
  'prefix' in part
    ? Array.from({ length: part.count }, (_, at) => `${part.prefix}${part.from + at}`)
    : [part.text.repeat(part.times ?? 1)]

function expandTest(test: Record<string, unknown>): TargetingRule {
  const conditions = (test.conditions ?? []) as Record<string, unknown>[]
  const values = (test.values as Part[]).flatMap(expandPart)
  return { ...test, values, conditions: conditions.map(expandTest) } as TargetingRule
}

test.each(read<Bounded>('bounds').map((vector) => [vector.title, vector] as const))(
  'bounds: %s',
  (_title, vector) => {
    const flags = vector.flags.map((flag) =>
      aFlag({ ...flag, rules: ((flag.rules ?? []) as Record<string, unknown>[]).map(expandTest) }),
    )
    const [userKey = null] = expandPart(vector.user_key)
    const attributes = Object.fromEntries(
      Object.entries(vector.attributes).map(([name, parts]) => [
        name,
        Array.isArray(parts) ? parts.flatMap(expandPart) : expandPart(parts)[0],
      ]),
    )
    const set = createFlagSet(flags)
    expect(set.resolve('flag', userKey, attributes).reason).toBe(vector.reason)
    const spent = new Map<string, number>()
    expect(referenceEvaluate(flags, 'flag', userKey, attributes, 10, spent).reason).toBe(vector.reason)
    if (vector.reason === 'ERROR') return
    expect(set.steps).toBe(vector.steps)
    expect([...spent.values()].reduce((sum, steps) => sum + steps, 0)).toBe(vector.steps)
  },
)
