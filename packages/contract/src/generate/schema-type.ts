import type { JsonValue } from '@burgee/evaluation'
import { isObject } from '../json/index.ts'
import { quote } from './quote.ts'

/** The type of whatever is not described, or too deeply. */
const ANY = 'Json'
const DEPTH_MAX = 10
/** The parts of a schema that are written as types. What follows them is `Json`. */
const PARTS_MAX = 500
const LITERAL_MAX_LENGTH = 200

interface Budget {
  parts: number
}

/**
 * Returns the TypeScript type of the values that a JSON Schema admits. It admits more where the schema has
 * keywords that types cannot express.
 */
export function toSchemaType(schema: unknown): string {
  return describe(schema, 0, { parts: PARTS_MAX })
}

function describe(schema: unknown, depth: number, budget: Budget): string {
  budget.parts -= 1
  if (!isObject(schema) || depth > DEPTH_MAX || budget.parts < 0) return ANY
  if ('const' in schema) return literalOf(schema.const)
  if (Array.isArray(schema.enum)) return union(schema.enum.slice(0, PARTS_MAX).map(literalOf))
  const alternatives = schema.anyOf ?? schema.oneOf
  if (Array.isArray(alternatives) && alternatives.length > 0)
    return union(alternatives.slice(0, PARTS_MAX).map((one) => describe(one, depth + 1, budget)))
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? guessType(schema)]
  return union(types.map((type) => describeType(type, schema, depth, budget)))
}

const guessType = (schema: Readonly<Record<string, unknown>>): string | undefined =>
  'properties' in schema ? 'object' : 'items' in schema ? 'array' : undefined

function describeType(
  type: unknown,
  schema: Readonly<Record<string, unknown>>,
  depth: number,
  budget: Budget,
): string {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
      return 'number'
    case 'array':
      return `ReadonlyArray<${'items' in schema ? describe(schema.items, depth + 1, budget) : ANY}>`
    case 'object':
      return describeObject(schema, depth, budget)
    default:
      return ANY
  }
}

function describeObject(schema: Readonly<Record<string, unknown>>, depth: number, budget: Budget): string {
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const members = properties
    .slice(0, PARTS_MAX)
    .map(
      ([name, property]) =>
        `readonly ${quote(name)}${required.has(name) ? '' : '?'}: ${describe(property, depth + 1, budget)}`,
    )
  if (members.length > 0) return `{ ${members.join('; ')} }`
  const others = isObject(schema.additionalProperties) ? schema.additionalProperties : undefined
  return `{ readonly [name: string]: ${others === undefined ? ANY : describe(others, depth + 1, budget)} }`
}

function literalOf(value: JsonValue | unknown): string {
  if (typeof value === 'string') return value.length > LITERAL_MAX_LENGTH ? 'string' : quote(value)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value)
  return ANY
}

const union = (types: readonly string[]): string => {
  const all = [...new Set(types)]
  return all.length === 0 || all.includes(ANY) ? ANY : all.join(' | ')
}
