import { isPlain, JSON_DEPTH_MAX, PLAIN_FORMATS, PROBLEMS_MAX } from '@burgee/contract'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formatsPlugin from 'ajv-formats'
import type { TSchema } from 'typebox'
import { escapePointer, findUncleanInput } from '../../kernel/hygiene.ts'
import type { ProblemDetail } from '../../kernel/refusal.ts'
import { describeProblem, type FoundError } from '../responses/describe-problem.ts'
import { STOP_KEYWORD, stopWhenFull } from '../responses/stop-when-full.ts'
import { TEXT_KEYWORDS } from './text-keywords.ts'

/**
 * The two validators. Bodies are never coerced, because coercion turns null into 0 and "". Queries and path
 * parameters are text on the wire, so they are.
 */
export interface Validators {
  body(schema: TSchema): Check
  query(schema: TSchema): Check
}

/** Returns whether the input is valid; `errors` then describes the last one. */
export interface Check {
  (input: unknown): boolean
  errors?: ErrorObject[] | null
}

const OPTIONS = {
  allErrors: true,
  // Problems are described with the value and the limits of its schema.
  verbose: true,
  strictTypes: false,
  allowUnionTypes: true,
  // A unit test validates it. Here it would take 30 ms of the first request, while all clients may be
  // reconnecting.
  validateSchema: false,
  // Optimizing the code takes as long as generating it, and the first request of each endpoint waits for it.
  // V8 optimizes what is used often.
  code: { optimize: false },
} as const

export function createValidators(): Validators {
  const body = complete(new Ajv(OPTIONS))
  const query = complete(
    new Ajv({
      ...OPTIONS,
      coerceTypes: true,
      useDefaults: true,
      // Undeclared parameters are removed, because a handler may pass its whole query on.
      removeAdditional: 'all',
    }),
  )
  return {
    body: (schema) => whenUsed(() => body.compile(stopWhenFull(schema))),
    query: (schema) => whenUsed(() => refuseOddNumbers(schema, refuseUnclean(query.compile(schema)))),
  }
}

/** Compiles on first use: compiling all of them would double the start time. */
function whenUsed(compile: () => Check): Check {
  let compiled: Check | undefined
  const check: Check = (input) => {
    compiled ??= compile()
    const fits = compiled(input)
    check.errors = compiled.errors ?? null
    return fits
  }
  return check
}

/**
 * Refuses what coercion accepts: it turns "1e400" into Infinity, to which no bound applies; and NUL, which
 * the database cannot store.
 */
function refuseUnclean(validate: ValidateFunction): Check {
  const check: Check = (input) => {
    const fits = validate(input)
    const problem = fits ? findUncleanInput(input, JSON_DEPTH_MAX) : null
    check.errors = problem ? [uncleanError(problem)] : (validate.errors ?? null)
    return fits && problem === null
  }
  return check
}

/** Refuses `0x10` and `1e1`, which coercion reads as numbers. */
function refuseOddNumbers(schema: TSchema, validate: Check): Check {
  const properties: Readonly<Record<string, { type?: unknown }>> =
    'properties' in schema ? Object(schema.properties) : {}
  const names = Object.keys(properties).filter((name) => properties[name]?.type === 'integer')
  const check: Check = (input) => {
    const given = new Map(Object.entries(input ?? {}))
    const invalid = names.find((name) => {
      const text: unknown = given.get(name)
      return typeof text === 'string' && !WHOLE_NUMBER.test(text)
    })
    const fits = invalid === undefined && validate(input)
    check.errors =
      invalid === undefined
        ? (validate.errors ?? null)
        : [uncleanError({ path: `/${invalid}`, message: 'must be a whole number' })]
    return fits
  }
  return check
}
const WHOLE_NUMBER = /^[+-]?[0-9]+$/

const uncleanError = ({ message, path }: ProblemDetail): ErrorObject => ({
  instancePath: path,
  schemaPath: '',
  keyword: 'unclean',
  params: {},
  message,
})

/** Adds the formats of the contract and the keywords of this server. */
function complete(ajv: Ajv): Ajv {
  formatsPlugin.default(ajv, ['date-time', 'uuid'])
  const { validate } = Object(formatsPlugin.default.get('date-time'))
  ajv.addKeyword(STOP_KEYWORD)
  for (const keyword of TEXT_KEYWORDS) ajv.removeKeyword(String(keyword.keyword)).addKeyword(keyword)
  const isInstant = (text: string) => USUAL.test(text) || (RFC_3339.test(text) && validate(text) === true)
  ajv.addFormat('date-time', isInstant)
  for (const format of PLAIN_FORMATS) ajv.addFormat(format, (text: string) => isPlain(format, text))
  return ajv
}
/**
 * The format of `toISOString`, which SDKs send by the hundred, on days that every month has. The plugin takes
 * several times as long.
 */
const USUAL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/
/**
 * The syntax of a timestamp. The plugin also accepts any white space between date and time, and offsets that
 * our clocks do not read (`+01`, `+0100`).
 */
const RFC_3339 = /^[^\s]{10}[Tt ][\d:.]+(?:[Zz]|[+-]\d\d:\d\d)$/

/** Returns the problems that a validator found, each once, with the JSON pointer of its field. */
export function toProblems(errors: readonly FoundError[]): ProblemDetail[] {
  const nullable = new Set(errors.filter(isNullType).map(({ instancePath }) => instancePath))
  const joined = joinTypes(errors)
  const problems = new Map<string, ProblemDetail>()
  for (const error of errors) {
    if (problems.size === PROBLEMS_MAX) break
    if (isNoise(error)) continue
    const problem = toProblem(joined.get(error) ?? error, nullable.has(error.instancePath))
    problems.set(`${problem.path} ${problem.message}`, problem)
  }
  return problems.size > 0 ? [...problems.values()] : [{ path: '', message: 'The input is not valid.' }]
}

/**
 * A field that may have one of several types fails for each of them. Returns what to report in place of such
 * an error: one that names all types.
 */
function joinTypes(errors: readonly FoundError[]): Map<FoundError, FoundError> {
  const ofType = errors.filter((error) => error.keyword === 'type' && !isNullType(error))
  const types = new Map<string, Set<unknown>>()
  for (const { instancePath, params } of ofType)
    types.set(instancePath, (types.get(instancePath) ?? new Set()).add(params.type))
  return new Map(
    ofType.map((error) => {
      const type = [...(types.get(error.instancePath) ?? [])]
      return [error, { ...error, params: { type } }]
    }),
  )
}

const isNullType = ({ keyword, params }: FoundError): boolean => keyword === 'type' && params.type === 'null'

/**
 * Tests whether an error repeats another one. A nullable field fails twice: for its type, which is reported,
 * and for not being null. An id fails its format and its length, and an empty text is also blank: one of the
 * two errors is reported.
 */
function isNoise(error: FoundError): boolean {
  const { data, keyword, parentSchema } = error
  if (keyword === 'anyOf' || isNullType(error)) return true
  if (keyword === 'minLength' || keyword === 'maxLength') return parentSchema?.format === 'uuid'
  return keyword === 'pattern' && data === '' && parentSchema?.minLength !== undefined
}

function toProblem(error: FoundError, mayBeNull: boolean): ProblemDetail {
  const { instancePath, keyword, params } = error
  const message = describeProblem(error, mayBeNull)
  if (keyword === 'required')
    return { path: `${instancePath}/${escapePointer(String(params.missingProperty))}`, message }
  return { path: instancePath, message: instancePath === '' ? `The body ${message}.` : message }
}
