import { isObject } from '@burgee/contract'
import { PATCH_OPERATIONS_MAX } from './limits.ts'
import { PATCH_SCHEMA } from './schema-uris.ts'
import { badRequest } from './scim-refused.ts'

/** One step of a PATCH. A step without a path is one step for each field of its value. */
export interface PatchStep {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: string
  readonly value: unknown
  /** True for a field of a value without a path, among which read-only ones are ignored. */
  readonly isField: boolean
}

/** Reads the operations of a PATCH. Names and operations ignore case: Entra ID sends `Replace`. */
export function parsePatch(body: unknown): readonly PatchStep[] {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'Send a PatchOp message as a JSON object.')
  const schemas = fieldOf(body, 'schemas')
  if (
    !Array.isArray(schemas) ||
    !schemas.some((one) => String(one).toLowerCase() === PATCH_SCHEMA.toLowerCase())
  )
    throw badRequest('invalidSyntax', `A PATCH has the schema ${PATCH_SCHEMA}.`)
  const operations = fieldOf(body, 'operations')
  if (!Array.isArray(operations) || operations.length === 0)
    throw badRequest('invalidSyntax', 'A PATCH has at least one item in Operations.')
  if (operations.length > PATCH_OPERATIONS_MAX)
    throw badRequest('tooMany', `A PATCH may have at most ${PATCH_OPERATIONS_MAX} operations. Send several.`)
  const steps = operations.flatMap(readOperation)
  if (steps.length > PATCH_OPERATIONS_MAX)
    throw badRequest(
      'tooMany',
      `A PATCH may change at most ${PATCH_OPERATIONS_MAX} attributes. Send several.`,
    )
  return steps
}

function readOperation(operation: unknown): PatchStep[] {
  if (!isObject(operation)) throw badRequest('invalidSyntax', 'An operation is a JSON object.')
  const op = String(fieldOf(operation, 'op')).toLowerCase()
  if (op !== 'add' && op !== 'replace' && op !== 'remove')
    throw badRequest('invalidSyntax', 'The op of an operation is add, replace or remove.')
  const path = fieldOf(operation, 'path')
  const value = fieldOf(operation, 'value')
  if (path !== undefined && path !== null) {
    if (typeof path !== 'string') throw badRequest('invalidPath', 'The path of an operation is a text.')
    return [{ op, path, value, isField: false }]
  }
  if (op === 'remove') throw badRequest('noTarget', 'An operation remove needs a path.')
  if (!isObject(value))
    throw badRequest('invalidValue', 'An operation without a path has an object as its value.')
  return Object.entries(value).map(([name, one]) => ({ op, path: name, value: one, isField: true }))
}

/** Returns a field by its name, ignoring case (RFC 7643, section 2.1). */
export function fieldOf(object: Readonly<Record<string, unknown>>, name: string): unknown {
  const wanted = name.toLowerCase()
  const key = Object.keys(object).find((one) => one.toLowerCase() === wanted)
  return key === undefined ? undefined : object[key]
}
