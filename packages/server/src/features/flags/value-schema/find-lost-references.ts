import { isObject } from '@burgee/contract'
import type { ProblemDetail } from '../../../kernel/refusal.ts'
import type { ReadSchema } from './read-schema.ts'

/** A `$ref` of a schema and its place. */
export interface Reference {
  readonly path: string
  readonly target: string
}

/** Returns a problem for each reference that leads to no schema. No value would fit it. */
export function findLostReferences(
  schema: ReadSchema,
  references: readonly Reference[],
  anchors: ReadonlySet<string>,
): ProblemDetail[] {
  const lost = references.filter(({ target }) =>
    target === '#' || target.startsWith('#/')
      ? !leadsToSchema(schema, target)
      : !anchors.has(target.slice(1)),
  )
  return lost.map(({ path, target }) => ({
    path,
    message: `leads to no schema within the schema: ${JSON.stringify(target)}`,
  }))
}

function leadsToSchema(schema: ReadSchema, pointer: string): boolean {
  let found: unknown = schema
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    found =
      isObject(found) || Array.isArray(found)
        ? Object.getOwnPropertyDescriptor(found, name)?.value
        : undefined
  }
  return isObject(found) || typeof found === 'boolean'
}
