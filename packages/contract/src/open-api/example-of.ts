import type { TSchema } from 'typebox'
import type { JsonSchema } from './document.ts'

/**
 * Builds an example of a schema: its first own example, or one from the examples of its parts. A list
 * contains every example of its items, an object its required fields. Undefined when a part has no example.
 */
export const exampleOf = (schema: TSchema): unknown => examplesOf(JSON.parse(JSON.stringify(schema)))[0]

function examplesOf(schema: JsonSchema): readonly unknown[] {
  if (schema.examples) return schema.examples
  if (schema.allOf) return mergeParts(schema.allOf)
  if (schema.anyOf) return schema.anyOf.flatMap(examplesOf)
  if (schema.items) return listOfItems(schema.items)
  if (schema.type === 'object') return composeObject(schema)
  return schema.enum?.slice(0, 1) ?? []
}

function mergeParts(parts: readonly JsonSchema[]): readonly unknown[] {
  const examples = parts.map((part) => examplesOf(part)[0])
  return examples.includes(undefined) ? [] : [Object.assign({}, ...examples)]
}

function listOfItems(items: JsonSchema): readonly unknown[] {
  const examples = examplesOf(items)
  return examples.length === 0 ? [] : [examples]
}

function composeObject({ properties = {}, required = [] }: JsonSchema): readonly unknown[] {
  const fields = required.map((name) => [name, examplesOf(properties[name] ?? {})[0]] as const)
  return fields.some(([, value]) => value === undefined) ? [] : [Object.fromEntries(fields)]
}
