import type { Attributes, AttributeValue } from '@burgee/sdk'

/** A user as the SDK takes it. */
export interface User {
  readonly userKey: string | null
  readonly attributes: Attributes
}

/** The depth to which attributes inside objects are also given by their path. */
const DEPTH_MAX = 4
/** The attributes of one context; further ones are left out. */
const ATTRIBUTES_MAX = 1_000
/** The elements of a list that are read. */
const ELEMENTS_MAX = 1_000

/**
 * Returns the user of an evaluation context: `targetingKey` is the user key, and a `Date` is RFC 3339.
 * Attributes inside objects have their path as name (`user.plan`), unless the context itself has that name.
 */
export function userOf(context: Readonly<Record<string, unknown>>): User {
  const { targetingKey, ...others } = context
  if (isFlat(others)) return { userKey: keyOf(targetingKey), attributes: others }
  return { userKey: keyOf(targetingKey), attributes: readAttributes(others) }
}

/** Returns whether values can be used as they are, which is usual and takes a tenth of the time. */
function isFlat(values: Readonly<Record<string, unknown>>): values is Attributes {
  let count = 0
  for (const name in values) {
    const type = typeof values[name]
    if ((type !== 'string' && type !== 'number' && type !== 'boolean') || ++count > ATTRIBUTES_MAX)
      return false
  }
  return true
}

function readAttributes(context: Readonly<Record<string, unknown>>): Attributes {
  const attributes: Record<string, AttributeValue> = {}
  const nested: [string, object][] = []
  let count = 0
  const add = (name: string, value: unknown) => {
    const read = attributeOf(value)
    if (read === undefined) {
      if (isPlain(value)) nested.push([name, value])
    } else if (!Object.hasOwn(attributes, name) && count < ATTRIBUTES_MAX) {
      count += 1
      define(attributes, name, read)
    }
  }
  for (const [name, value] of Object.entries(context)) add(name, value)
  // A path never replaces an attribute of the context itself.
  for (let depth = 1; depth < DEPTH_MAX && count < ATTRIBUTES_MAX; depth++)
    for (const [path, object] of nested.splice(0))
      for (const [name, value] of Object.entries(object).slice(0, ATTRIBUTES_MAX))
        if (isPlain(value) || !Object.hasOwn(context, `${path}.${name}`)) add(`${path}.${name}`, value)
  return attributes
}

function keyOf(targetingKey: unknown): string | null {
  if (typeof targetingKey === 'number') return String(targetingKey)
  return typeof targetingKey === 'string' ? targetingKey : null
}

/** Defines also a name such as `__proto__`, which an assignment would take for the prototype. */
function define(attributes: Record<string, AttributeValue>, name: string, value: AttributeValue): void {
  Object.defineProperty(attributes, name, { value, configurable: true, enumerable: true, writable: true })
}

/** Returns what a rule can compare; undefined for anything else. */
function attributeOf(value: unknown): AttributeValue {
  // Rules look at the elements of a list, and not inside of them: a list in a list has nothing to compare.
  return Array.isArray(value) ? value.slice(0, ELEMENTS_MAX).map(scalarOf) : scalarOf(value)
}

function scalarOf(value: unknown): AttributeValue {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString()
  return typeof value === 'object' || typeof value === 'function' ? undefined : (value as AttributeValue)
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
