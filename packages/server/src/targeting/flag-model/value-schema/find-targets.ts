import { isObject, PROBLEMS_MAX } from '@burgee/contract'
import type { ProblemDetail } from '../../../kernel/refusal.ts'
import type { ReadSchema } from './read-schema.ts'

/** A `$ref` of a schema and its place. */
export interface Reference {
  readonly path: string
  readonly target: string
}

interface References {
  readonly references: readonly Reference[]
  readonly anchors: ReadonlyMap<string, ReadSchema>
  /** All schemas within the schema. */
  readonly schemas: ReadonlySet<ReadSchema>
}

/** Returns the schemas to which the references of a schema lead. */
export function findTargets(
  root: ReadSchema,
  { anchors, references, schemas }: References,
): ReadonlyMap<string, ReadSchema> {
  const targets = new Map<string, ReadSchema>()
  for (const { target } of references) {
    if (targets.has(target)) continue
    const found =
      target === '#' || target.startsWith('#/')
        ? schemaAt(root, target, schemas)
        : anchors.get(target.slice(1))
    if (found !== undefined) targets.set(target, found)
  }
  return targets
}

/** Returns a problem for each reference that leads to no schema. No value would fit it. */
export function findLostReferences(
  references: readonly Reference[],
  targets: ReadonlyMap<string, ReadSchema>,
): ProblemDetail[] {
  const lost = references.filter(({ target }) => !targets.has(target)).slice(0, PROBLEMS_MAX)
  return lost.map(({ path, target }) => ({
    path,
    message: `leads to no schema within the schema: ${JSON.stringify(target)}`,
  }))
}

function schemaAt(root: ReadSchema, pointer: string, schemas: References['schemas']): ReadSchema | undefined {
  let found: unknown = root
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    found =
      isObject(found) || Array.isArray(found)
        ? Object.getOwnPropertyDescriptor(found, name)?.value
        : undefined
    if (found === undefined) return undefined
  }
  if (typeof found === 'boolean') return found
  // Only what was read as a schema has the form that rules expect.
  const schema = found as ReadSchema
  return schemas.has(schema) ? schema : undefined
}
