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
}

const USER_KEY = '$user_key'
/** Values of one attribute in a pool: further ones are left out. */
const POOL_MAX = 1_000

/** Returns the values that the rules name, and values beside these. */
export function poolsFor({ flags, segments }: ImportedEnvironment, sources: readonly unknown[]): UserPools {
  const texts = collectTexts(sources)
  const shared = segments.map(({ rules }) => rules)
  return {
    all: poolsOf([...flags, ...shared], texts),
    ofFlags: flags.map((flag) => poolsOf([flag, ...shared], texts)),
  }
}

/** Draws users by chance, the same ones every time. */
export function* drawUsers(count: number, { all, ofFlags }: UserPools): Generator<EngineUser> {
  const versions = new Set(
    [...all].filter(([, values]) => values.includes(OTHER.version)).map(([name]) => name),
  )
  const random = numbersFrom(42)
  const pick = (values: readonly Value[]) => values[random(values.length + 1)]
  const odd = new Map([...all].map(([name, values]) => [name, oddValues(values)]))
  for (let index = 0; index < count; index += 1) {
    const focus = ofFlags[random(ofFlags.length)] ?? all
    const keys = focus.get(USER_KEY) ?? []
    const attributes = [...all].flatMap(([name, values]): [string, Value][] => {
      const value = pick((random(ODD_EVERY) === 0 ? odd.get(name) : focus.get(name)) ?? values)
      // A number is no version there, and one in Burgee: versions are texts.
      const isLeftOut = value === undefined || (typeof value === 'number' && versions.has(name))
      return name === USER_KEY || isLeftOut ? [] : [[name, value]]
    })
    const key = keys.length > 0 && random(4) === 0 ? String(keys[random(keys.length)]) : `user-${index}`
    yield { key, attributes: Object.fromEntries(attributes) }
  }
}

/** One value of so many is not one that the rules name. */
const ODD_EVERY = 8
const ODD_MAX = 100

/**
 * Returns what programs send beside the values that rules name, with the same types: no value, and other
 * forms. An attribute that is compared as a number gets no further texts.
 */
function oddValues(values: readonly Value[]): Value[] {
  if (values.some((value) => typeof value === 'number')) return [null]
  const texts = values.filter((value) => typeof value === 'string').slice(0, ODD_MAX)
  return [null, ...(texts.length > 0 ? [''] : []), ...texts.flatMap(formsOf)]
}

/** Returns other forms of a text: in upper case, and of a version with a prefix or only in part. */
function formsOf(text: string): string[] {
  const version = /^v?((\d+)\.\d+)\.\d+/.exec(text)
  if (!version) return /^v\d/.test(text) ? [] : [text.toUpperCase()]
  const [, minor = '', major = ''] = version
  return [`v${text.replace(/^v/, '')}`, minor, `v${minor}`, major]
}

function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    // The high bits: the low ones of such a sequence repeat.
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Returns the values by attribute that the conditions below these parts name. */
function poolsOf(parts: readonly unknown[], texts: ReadonlySet<string>): Pools {
  const pools: Pools = new Map()
  const visit = (part: unknown) => {
    if (Array.isArray(part)) part.forEach(visit)
    else if (isObject(part)) {
      const attribute = textOf(part.attribute)
      if (attribute !== null) add(pools, attribute, valuesNear(part, texts))
      const bucketBy = textOf(part.bucket_by)
      if (bucketBy !== null) add(pools, bucketBy, BUCKETS)
      for (const name of ['rules', 'conditions']) visit(objectsOf(part[name]))
    }
  }
  visit(parts)
  return pools
}

const BUCKETS = Array.from({ length: 50 }, (_, index) => `bucket-${index}`)

function add(pools: Pools, attribute: string, values: readonly Value[]): void {
  const pool = pools.get(attribute) ?? []
  for (const value of values) if (pool.length < POOL_MAX && !pool.includes(value)) pool.push(value)
  pools.set(attribute, pool)
}

/** Returns values that the condition names, and values beside them. */
function valuesNear({ operator, values }: Readonly<Record<string, unknown>>, texts: ReadonlySet<string>) {
  const name = String(operator).replace(/^not_/, '')
  const named = Array.isArray(values) ? values.map(String) : []
  return [...named.flatMap((value) => near(name, value, texts)), OTHER[kindOf(name)]]
}

const OTHER = { number: 0, time: 0, version: '0.0.1', text: 'other' } as const

function kindOf(operator: string): keyof typeof OTHER {
  if (/^(greater|less)_than/.test(operator)) return 'number'
  if (operator === 'before' || operator === 'after') return 'time'
  return operator.startsWith('semver_') ? 'version' : 'text'
}

function near(operator: string, value: string, texts: ReadonlySet<string>): Value[] {
  const kind = kindOf(operator)
  if (kind === 'number') return [-1, 0, 0.5, 1].map((step) => Number(value) + step)
  if (kind === 'time') {
    const ms = Number.isNaN(Number(value)) ? Date.parse(value) : Number(value)
    return [-1_000, 0, 1_000].map((step) => ms + step)
  }
  if (kind === 'version') return [value, value.replace(/\d+/, (n) => String(Number(n) + 1)), `${value}-a`]
  switch (operator) {
    case 'contains':
      return [value, `a${value}b`]
    case 'starts_with':
      return [value, `${value}b`, `b${value}`]
    case 'ends_with':
      return [value, `b${value}`, `${value}b`]
    case 'matches':
      return [value, value.replace(/[\\^$.*+?()[\]{}|]/g, '')]
    default:
      return [typed(value, texts)]
  }
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
