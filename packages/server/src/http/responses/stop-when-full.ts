import { PROBLEMS_MAX } from '@burgee/contract'
import { _, type KeywordCxt, type KeywordDefinition, Name } from 'ajv'

const KEYWORD = 'stopWhenFull'
/**
 * The number of validator errors for one problem: a field that may be null, for example, has one for each
 * alternative.
 */
const ERRORS_PER_PROBLEM = 4
const ERRORS_MAX = ERRORS_PER_PROBLEM * PROBLEMS_MAX

/** The local variable of every validation function that Ajv compiles. */
const COUNT = new Name('errors')
const ERRORS = new Name('vErrors')

/**
 * Ends a validation that collects all errors once there are more than a response lists. Ajv has no such
 * bound, and a list of a megabyte may have hundreds of thousands of invalid items.
 */
export const STOP_KEYWORD: KeywordDefinition = {
  keyword: KEYWORD,
  schemaType: 'boolean',
  code({ gen, it: { validateName } }: KeywordCxt) {
    gen.if(_`${COUNT} >= ${ERRORS_MAX}`, () => {
      gen.assign(_`${validateName}.errors`, ERRORS)
      gen.return(false)
    })
  },
}

/** Returns the schema with a check before each item of a list whether enough errors were found. */
export function stopWhenFull(schema: object): object {
  const copy: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(schema)) copy[name] = copyOf(part)
  const { items, type } = copy
  const isList = type === 'array' && typeof items === 'object' && items !== null
  // A list of fixed length, which has a schema for each item, has few errors.
  if (isList && !Array.isArray(items) && Object.keys(items).length > 0)
    copy.items = { ...items, [KEYWORD]: true }
  return copy
}

function copyOf(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part
  return Array.isArray(part) ? part.map(copyOf) : stopWhenFull(part)
}
