import type { CheckRun } from '../check-run.ts'
import { EvaluatedParts } from '../evaluated-parts.ts'
import type { ReadSchema } from '../read-schema.ts'
import type { RuleOf } from './rule-source.ts'

/** Keywords that combine schemas about the same value. */
export const COMBINING_RULES: Readonly<Record<string, RuleOf<unknown>>> = {
  $ref(reference, { document }) {
    const target = document.resolve(String(reference))
    return (run, value, parts) => run.fits(target, value, parts)
  },
  allOf(argument) {
    const schemas = argument as readonly ReadSchema[]
    return (run, value, parts) => {
      for (const schema of schemas) if (!run.fits(schema, value, parts)) return false
      return true
    }
  },
  anyOf(argument) {
    const schemas = argument as readonly ReadSchema[]
    return (run, value, parts) =>
      countFits(run, schemas, { value, parts, max: parts ? schemas.length : 1 }) > 0 ||
      run.fail('must match a schema in anyOf')
  },
  oneOf(argument) {
    const schemas = argument as readonly ReadSchema[]
    return (run, value, parts) =>
      countFits(run, schemas, { value, parts, max: 2 }) === 1 ||
      run.fail('must match exactly one schema in oneOf')
  },
  not: (schema) => (run, value) =>
    // The cast is of a schema that was read.
    !run.fitsBranch(schema as ReadSchema, value, null) || run.fail('must not be valid'),
  if(argument, { schema }) {
    const [condition, yes = true, no = true] = [argument, schema.then, schema.else] as ReadSchema[]
    if (condition === undefined) return null
    return (run, value, parts) =>
      countFits(run, [condition], { value, parts, max: 1 }) === 1
        ? run.fits(yes, value, parts)
        : run.fits(no, value, parts)
  },
}

interface Branches {
  readonly value: unknown
  readonly parts: EvaluatedParts | null
  /** The count at which it stops. */
  readonly max: number
}

/** Counts the schemas that a value fits. What these evaluate is evaluated. */
function countFits(run: CheckRun, schemas: readonly ReadSchema[], { max, parts, value }: Branches): number {
  let count = 0
  for (const schema of schemas) {
    const own = parts && new EvaluatedParts()
    if (!run.fitsBranch(schema, value, own)) continue
    if (parts && own) parts.merge(own, run.spend)
    count += 1
    if (count === max) break
  }
  return count
}
