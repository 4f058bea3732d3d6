import { canonicalJson, isObject } from '@burgee/contract'
import type { Attributes, AttributeValue } from '@burgee/evaluation'
import { invalid, Refusal } from '../../kernel/refusal.ts'

/** The evaluation context of a request, as the evaluator reads it. */
export interface ReadContext {
  readonly userKey: string | null
  readonly attributes: Attributes
  /** The context as canonical JSON, for the ETag. */
  readonly canonical: string
}

const WANTED = 'The body must be a JSON object such as {"context": {"targetingKey": "1"}}.'

type Fields = Readonly<Record<string, unknown>>

/** The levels of nested objects that are also attributes with a dotted name: `user.plan`. */
const FLAT_LEVELS = 4
/** The characters of such a name. Each name contains those of the levels above it. */
const FLAT_NAME_MAX_LENGTH = 1_024
/** Such names of one context. Further ones are left out, as they may be much longer than the body. */
const FLAT_NAMES_MAX = 1_000

/** Reads the body of an evaluation (docs/ofrep.md#context). Refuses with `malformed` or `invalid`. */
export function readContext(body: unknown): ReadContext {
  if (body === undefined) throw new Refusal('malformed', `There is no body. ${WANTED}`)
  if (!isObject(body)) throw invalid([{ path: '', message: WANTED }])
  const { context }: { context?: unknown } = body
  if (context === undefined || context === null) return EMPTY
  if (!isObject(context)) throw invalid([{ path: '/context', message: 'must be an object' }])
  const { targetingKey, ...fields }: { targetingKey?: unknown } = context
  return {
    userKey: toUserKey(targetingKey),
    attributes: hasObject(fields) ? flatten(fields) : (fields as Attributes),
    canonical: canonicalJson(context),
  }
}

const EMPTY: ReadContext = { userKey: null, attributes: {}, canonical: '{}' }

function toUserKey(targetingKey: unknown): string | null {
  if (targetingKey === undefined || targetingKey === null) return null
  if (typeof targetingKey === 'string') return targetingKey
  if (typeof targetingKey === 'number') return String(targetingKey)
  throw invalid([{ path: '/context/targetingKey', message: 'must be a text or a number' }])
}

function hasObject(fields: Fields): boolean {
  for (const name in fields) if (isObject(fields[name])) return true
  return false
}

/**
 * Adds the fields of nested objects under dotted names, level by level. A field that is there itself has
 * priority, and of equal names the first.
 */
function flatten(fields: Fields): Attributes {
  // Without a prototype, `__proto__` is a name like any other.
  const flat: Record<string, AttributeValue> = Object.assign(Object.create(null), fields)
  let count = 0
  let above: [string, object][] = []
  for (const [name, value] of Object.entries(fields)) if (isObject(value)) above.push([name, value])
  for (let level = 2; level <= FLAT_LEVELS; level += 1) {
    const below: [string, object][] = []
    for (const [start, nested] of above)
      for (const [name, value] of Object.entries(nested)) {
        if (start.length + name.length >= FLAT_NAME_MAX_LENGTH) continue
        if (++count > FLAT_NAMES_MAX) return flat
        const path = `${start}.${name}`
        if (isObject(value)) below.push([path, value])
        else if (value !== null && !(path in flat)) flat[path] = value
      }
    above = below
  }
  return flat
}
