import type { JsonSchema } from '@burgee/contract'
import type { TSchema } from 'typebox'

/**
 * The first field of an answer that its schema does not name, as a path; null when there is none. A validator lets
 * such fields pass, and what is shown by mistake is just that.
 */
export function findUndeclared(schema: TSchema, value: unknown): string | null {
  // A schema of the contract is JSON Schema; its TypeScript type does not say so.
  return find([schema as JsonSchema], value, '')
}

/** `schemas` describe the same value together (allOf), or some of them do (anyOf). */
function find(schemas: readonly JsonSchema[], value: unknown, path: string): string | null {
  const parts = schemas.flatMap(flatten)
  if (Array.isArray(value)) {
    const items = parts.flatMap((part) => part.items ?? [])
    if (items.length === 0) return null
    return firstOf(value.map((item: unknown, index) => () => find(items, item, `${path}/${index}`)))
  }
  if (typeof value !== 'object' || value === null) return null
  const objects = parts.filter(({ properties }) => properties !== undefined)
  // Without properties anything goes.
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
