import type { TSchema } from 'typebox'
import type { JsonSchema } from './document.ts'
import { NAMED_SCHEMAS } from './named-schemas.ts'

/** Names by the JSON text of the schema, so that a copy of a named schema is recognized. */
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [JSON.stringify(schema), name]),
)

export const schemaReference = (name: keyof typeof NAMED_SCHEMAS): JsonSchema => ({
  $ref: `#/components/schemas/${name}`,
})

/**
 * Converts a schema of the contract for the document: named schemas become references, unions get their short
 * forms.
 */
export function toJsonSchema(schema: TSchema): JsonSchema {
  return convert(JSON.parse(JSON.stringify(schema)) as JsonSchema)
}

/** Converts the definition of a named schema, which must not reference itself. */
export function toDefinition(schema: TSchema): JsonSchema {
  return convertParts(JSON.parse(JSON.stringify(schema)) as JsonSchema)
}

function convert(schema: JsonSchema): JsonSchema {
  const name = NAMES.get(JSON.stringify(schema))
  return name === undefined ? convertParts(schema) : { $ref: `#/components/schemas/${name}` }
}

function convertParts(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.items)) return convertTuple(schema, schema.items)
  const { additionalProperties, allOf, anyOf, items, properties, ...rest } = schema
  if (anyOf) return { ...rest, ...convertUnion(anyOf) }
  if (rest.enum?.every((value) => typeof value === 'string')) return { type: 'string', ...rest }
  return {
    ...rest,
    ...(items && { items: convert(items) }),
    ...(allOf && { allOf: allOf.map(convert) }),
    ...(properties && { properties: mapValues(properties, convert) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? convert(additionalProperties) : additionalProperties,
    }),
  }
}

/** Converts a list of fixed length, which JSON Schema writes differently since 2020-12. */
function convertTuple({ description }: JsonSchema, items: readonly JsonSchema[]): JsonSchema {
  return {
    type: 'array',
    ...(description !== undefined && { description }),
    prefixItems: items.map(convert),
    minItems: items.length,
    maxItems: items.length,
  }
}

function convertUnion(members: readonly JsonSchema[]): JsonSchema {
  const others = members.filter(({ type }) => type !== 'null').map(convert)
  const [only] = others
  const nullable = others.length < members.length
  if (nullable && only && others.length === 1 && typeof only.type === 'string' && !only.enum) {
    return { ...only, type: [only.type, 'null'] }
  }
  return { anyOf: nullable ? [...others, { type: 'null' }] : others }
}

function mapValues<V, W>(record: Readonly<Record<string, V>>, map: (value: V) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}
