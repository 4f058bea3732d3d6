import { parseVersion } from '@burgee/evaluation'
import { USER_KEY } from '../conditions.ts'
import type { ImportedEnvironment } from '../finish-environment.ts'
import { isObject, objectsOf, textOf } from '../reading.ts'
import type { EngineUser } from './engine.ts'

type Value = EngineUser['attributes'][string]
type Pools = Map<string, Value[]>
/** Values of attributes, and of `$user_key`. */
type ReadonlyPools = ReadonlyMap<string, readonly Value[]>

export interface UserPools {
  readonly all: ReadonlyPools
  /** A user is drawn from the pools of one flag, so that several conditions of a rule hold together. */
  readonly ofFlags: readonly ReadonlyPools[]
  /** The types that attributes are compared as. */
  readonly kinds?: ReadonlyMap<string, ReadonlySet<Kind>>
}

/** `any`: it is only asked whether there is a value. */
type Kind = 'number' | 'time' | 'version' | 'text' | 'boolean' | 'bucket' | 'any'

/** Values of one attribute in a pool: further ones are left out. */
const POOL_MAX = 1_000

/** Returns the values that the rules name, and values beside these. */
export function poolsFor({ flags, segments }: ImportedEnvironment, sources: readonly unknown[]): UserPools {
  const texts = collectTexts(sources)
  const shared = segments.map(({ rules }) => rules)
  const kinds = new Map<string, Set<Kind>>()
  const all = poolsOf([...flags, ...shared], { texts, kinds })
  const ofFlags = flags.map((flag) => poolsOf([flag, ...shared], { texts, kinds }))
  for (const pools of [all, ...ofFlags])
    for (const [name, values] of pools) pools.set(name, fitting(values, kinds.get(name) ?? new Set()))
  return { all, ofFlags, kinds }
}

/**
 * Returns the values of the types that an attribute is compared as. Programs send one type: another one is
 * compared in ways of their own by both, and docs/import.md states it.
 */
function fitting(values: readonly Value[], kinds: ReadonlySet<Kind>): Value[] {
  // Users are divided by texts: the services have rules of their own for 0 and false.
  if (kinds.has('bucket')) {
    // A number or boolean that also divides users is no text: only users without it are compared.
    if (['number', 'time', 'boolean'].some((kind) => kinds.has(kind as Kind))) return []
    return values.filter((value) => typeof value === 'string' && value !== '0' && value !== 'false')
  }
  // A text beside versions, such as `other`, is ordered as a text there, and a number is no version.
  if (kinds.has('version')) return values.filter((value) => typeof value === 'string' && isVersion(value))
  if (kinds.has('number') || kinds.has('time'))
    return values.filter((value) => typeof value === 'number' || (kinds.has('time') && isTime(value)))
  if (kinds.has('boolean') && !kinds.has('text')) return [true, false]
  const isText = (value: Value) => typeof value === 'string' && value !== OTHER_TEXT
  return values.some(isText) ? values.filter((value) => typeof value === 'string') : [...values]
}

const isTime = (value: Value): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
const isVersion = (text: string): boolean => typeof parseVersion(text) === 'string'

interface Drawing {
  readonly texts: ReadonlySet<string>
  readonly kinds: Map<string, Set<Kind>>
}

/** Returns the values by attribute that the conditions below these parts name. */
function poolsOf(parts: readonly unknown[], { kinds, texts }: Drawing): Pools {
  const pools: Pools = new Map()
  const add = (attribute: string, kind: Kind, values: readonly Value[]) => {
    addTo(pools, attribute, values)
    const known = kinds.get(attribute)
    if (known) known.add(kind)
    else kinds.set(attribute, new Set([kind]))
  }
  const visit = (part: unknown) => {
    if (Array.isArray(part)) part.forEach(visit)
    else if (isObject(part)) {
      const attribute = textOf(part.attribute)
      if (attribute !== null) {
        const { kind, values } = valuesNear(part, texts)
        add(attribute, kind, values)
      }
      const bucketBy = textOf(part.bucket_by)
      if (bucketBy !== null) add(bucketBy, 'bucket', BUCKETS)
      for (const name of ['rules', 'conditions']) visit(objectsOf(part[name]))
    }
  }
  visit(parts)
  // The key is a text in every service, and never empty.
  kinds.delete(USER_KEY)
  const keys = pools.get(USER_KEY)
  if (keys)
    pools.set(
      USER_KEY,
      keys.filter((key) => typeof key === 'string' && key !== ''),
    )
  return pools
}

const BUCKETS = Array.from({ length: 50 }, (_, index) => `bucket-${index}`)

function addTo(pools: Pools, attribute: string, values: readonly Value[]): void {
  const pool = pools.get(attribute) ?? []
  const known = new Set(pool)
  for (const value of values)
    if (pool.length < POOL_MAX && !known.has(value)) {
      known.add(value)
      pool.push(value)
    }
  pools.set(attribute, pool)
}

interface Near {
  readonly kind: Kind
  readonly values: readonly Value[]
}

/** Returns values that the condition names, and values beside them. */
function valuesNear(
  { operator, values }: Readonly<Record<string, unknown>>,
  texts: ReadonlySet<string>,
): Near {
  const name = String(operator).replace(/^not_/, '')
  const named = Array.isArray(values) ? values.map(String) : []
  if (/^is_(not_)?set$/.test(name)) return { kind: 'any', values: [OTHER_TEXT] }
  if (named.join() === DIVIDES_NONE) return { kind: 'bucket', values: BUCKETS }
  const kind = kindOf(name)
  const drawn = named.flatMap((value) => near(name, value, texts))
  const isBoolean =
    drawn.some(isTruth) && drawn.every((value) => isTruth(value) || value === '' || value === 0)
  if (isBoolean) return { kind: 'boolean', values: [true, false] }
  return { kind, values: [...drawn, OTHER[kind]] }
}

/** The values that divide no users in GrowthBook, which a condition of the rule names. */
const DIVIDES_NONE = ',0,false'

/** A boolean, also as services of Python write it. */
const isTruth = (value: Value): boolean => typeof value === 'boolean' || value === 'True' || value === 'False'

const OTHER_TEXT = 'other'
const OTHER = { number: 0, time: 0, version: '0.0.1', text: OTHER_TEXT } as const

function kindOf(operator: string): keyof typeof OTHER {
  if (/^(greater|less)_than/.test(operator)) return 'number'
  if (operator === 'before' || operator === 'after') return 'time'
  return operator.startsWith('semver_') ? 'version' : 'text'
}

function near(operator: string, value: string, texts: ReadonlySet<string>): Value[] {
  const kind = kindOf(operator)
  if (kind === 'number') return [-1, 0, 0.5, 1].map((step) => Number(value) + step)
  if (kind === 'time') return timesNear(value, texts)
  if (kind === 'version') return versionsNear(value)
  switch (operator) {
    case 'contains':
      return [value, `a${value}b`]
    case 'starts_with':
      return [value, `${value}b`, `b${value}`]
    case 'ends_with':
      return [value, `b${value}`, `${value}b`]
    case 'matches':
      return matchesNear(value)
    default:
      return [typed(value, texts)]
  }
}

/** Milliseconds around the time; where the file has it as a text, also with a zone and without one. */
function timesNear(value: string, texts: ReadonlySet<string>): Value[] {
  const ms = Number.isNaN(Number(value)) ? Date.parse(value) : Number(value)
  if (Number.isNaN(ms)) return [0]
  const around = [-1_000, 0, 1_000].map((step) => ms + step)
  if (!texts.has(value)) return around
  const written = around.flatMap((one) => {
    const text = Math.abs(one) <= TIME_MAX ? new Date(one).toISOString() : null
    return text === null ? [] : [text, text.replace('Z', '+00:00'), text.replace('Z', '')]
  })
  return [...around, ...written]
}
const TIME_MAX = 8.64e15

/** The version, those right above and below, a longer number, a prerelease and build metadata. */
function versionsNear(value: string): Value[] {
  const [core = value, ...rest] = value.split(/(?=[-+])/)
  const numbers = core.replace(/^v/, '').split('.')
  const step = (at: number, by: number) =>
    numbers.map((n, index) => String(index === at ? Math.max(0, Number(n) + by) : n)).join('.')
  const beside = numbers.flatMap((_, at) => [step(at, 1), step(at, -1), step(at, 10)])
  return [value, ...beside, `${core}-a`, `${core}-0`, `${core}+build`, ...(rest.length > 0 ? [core] : [])]
}

/** The text of a pattern; one that states that a text equals, in both cases. */
function matchesNear(pattern: string): Value[] {
  const text = pattern.replace(/^\(\?i\)/, '').replace(/[\\^$.*+?()[\]{}|]/g, '')
  return pattern.startsWith('(?i)') ? [text, text.toUpperCase(), text.toLowerCase()] : [pattern, text]
}

/** Conditions of Burgee have texts: this is the value in the file, which may be a number or a boolean. */
function typed(value: string, texts: ReadonlySet<string>): Value {
  if (texts.has(value)) return value
  if (value === 'true' || value === 'false') return value === 'true'
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
}

/** Returns the texts anywhere in the files. */
function collectTexts(sources: readonly unknown[]): ReadonlySet<string> {
  const texts = new Set<string>()
  const stack: unknown[] = [...sources]
  while (stack.length > 0) {
    const value = stack.pop()
    if (typeof value === 'string') texts.add(value)
    else if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) stack.push(inner)
  }
  return texts
}
