import type { JsonSchema, OpenApiDocument } from '@burgee/contract'
import { referredName } from './render-schema.ts'

const SAMPLE_UUID = '3f0a5c1e-8f7b-4d2a-9c64-2b1d7e90a4c8'
const SAMPLE_TIMESTAMP = '2026-01-31T12:00:00.000Z'

/** What a field of that name is likely to hold, where its type alone would say little. */
const SAMPLES_BY_NAME: Readonly<Record<string, string>> = {
  name: 'Checkout',
  workspace_name: 'Acme',
  project_name: 'Shop',
  email: 'ada@example.com',
  password: 'correct horse battery staple',
  key: 'new-checkout',
}

type Schemas = OpenApiDocument['components']['schemas']

/** A small value that fits a schema, for examples: of an object only the fields that are required, or all when none is. */
export function sampleValue(schema: JsonSchema, schemas: Schemas, name = ''): unknown {
  const referred = referredName(schema)
  if (referred !== undefined) return sampleValue(schemas[referred] ?? {}, schemas, name)
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sampleValue(part, schemas, name)))
  const [first] = schema.anyOf ?? []
  if (first) return sampleValue(first, schemas, name)
  return sampleOfType(schema, schemas, name)
}

function sampleOfType(schema: JsonSchema, schemas: Schemas, name: string): unknown {
  switch ([schema.type].flat()[0]) {
    case 'object':
      return sampleObject(schema, schemas)
    case 'array':
      return []
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'string':
      return sampleText(schema, name)
    default:
      return null
  }
}

function sampleObject({ properties = {}, required = [] }: JsonSchema, schemas: Schemas): object {
  const all = Object.entries(properties)
  const shown = required.length > 0 ? all.filter(([name]) => required.includes(name)) : all.slice(0, 2)
  return Object.fromEntries(shown.map(([name, property]) => [name, sampleValue(property, schemas, name)]))
}

function sampleText({ format }: JsonSchema, name: string): string {
  if (format === 'uuid') return SAMPLE_UUID
  if (format === 'date-time') return SAMPLE_TIMESTAMP
  return SAMPLES_BY_NAME[name] ?? 'text'
}
