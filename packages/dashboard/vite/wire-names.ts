import { type Endpoint, ErrorBody, endpoints } from '@burgee/contract'

/** The parts of a JSON schema that hold names. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
}

const DEPTH_MAX = 12
const SNAKE_CASE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/

/**
 * Returns the names of the contract that no person has chosen: every field and every fixed value with an
 * underscore. An error text names them, and pages show other words for them.
 */
export function wireNames(): string[] {
  const names = new Set<string>()
  for (const { body, params, query, responses } of Object.values<Endpoint>(endpoints)) {
    for (const schema of [body, params, query, ...Object.values(responses)]) collect(schema as Schema, names)
  }
  collect(ErrorBody as Schema, names)
  return [...names].filter((name) => SNAKE_CASE.test(name)).sort()
}

function collect(schema: Schema | null | undefined, names: Set<string>, depth = 0): void {
  if (!schema || depth > DEPTH_MAX) return
  const { allOf = [], anyOf = [], items, patternProperties = {}, properties = {} } = schema
  for (const name of Object.keys(properties)) names.add(name)
  for (const value of [...(schema.enum ?? []), schema.const]) {
    if (typeof value === 'string') names.add(value)
  }
  const parts = [...Object.values(properties), ...Object.values(patternProperties), ...anyOf, ...allOf, items]
  for (const part of parts) collect(part, names, depth + 1)
}
