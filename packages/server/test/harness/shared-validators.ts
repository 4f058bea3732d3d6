import type { TSchema } from 'typebox'
import { type Check, createValidators, type Validators } from '../../src/http/requests/validators.ts'

/**
 * The validators of all test servers of a worker. Compiling the schemas of the endpoints takes longer than
 * most tests, and a compiled schema remembers nothing but the problems of its last input.
 */
export const SHARED_VALIDATORS: Validators = rememberChecks(createValidators())

function rememberChecks({ body, query }: Validators): Validators {
  return { body: onceFor(body), query: onceFor(query) }
}

function onceFor(compile: (schema: TSchema) => Check): (schema: TSchema) => Check {
  const known = new WeakMap<TSchema, Check>()
  return (schema) => {
    const check = known.get(schema) ?? compile(schema)
    known.set(schema, check)
    return check
  }
}
