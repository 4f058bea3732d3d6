import type { JsonSchema } from '@burgee/contract'
import type { TSchema } from 'typebox'

/**
 * Returns the first field of a response that its schema does not declare, as a path; null when there is none.
 * A validator accepts such fields, which may be disclosed by mistake.
 */
export function findUndeclared(schema: TSchema, value: unknown): string | null {
  // A schema of the contract is JSON Schema, which its TypeScript type does not express.
  return find([schema as JsonSchema], value, '')
}

/** Finds a field. `schemas` describe the same value together (allOf), or some of them do (anyOf). */
function find(schemas: readonly JsonSchema[], value: unknown, path: string): string | null {
  const parts = schemas.flatMap(flatten)
  if (Array.isArray(value)) {
    const items = parts.flatMap((part) => part.items ?? [])
    if (items.length === 0) return null
    return firstOf(value.map((item: unknown, index) => () => find(items, item, `${path}/${index}`)))
  }
  if (typeof value !== 'object' || value === null) return null
  const objects = parts.filter(({ properties }) => properties !== undefined)
  // Without properties any field is allowed.
  if (objects.length === 0 || objects.some(({ additionalProperties }) => additionalProperties === true))
    return null
  return firstOf(
    Object.entries(value).map(([name, inner]) => () => {
      const declared = objects.flatMap(({ properties }) =>
        properties && Object.hasOwn(properties, name) ? (properties[name] ?? []) : [],
      )
      return declared.length === 0 ? `${path}/${name}` : find(declared, inner, `${path}/${name}`)
    }),
  )
}

const flatten = (schema: JsonSchema): JsonSchema[] =>
  schema.anyOf || schema.allOf
    ? [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap(flatten)
    : [schema]

function firstOf(looks: readonly (() => string | null)[]): string | null {
  for (const look of looks) {
    const found = look()
    if (found !== null) return found
  }
  return null
}
