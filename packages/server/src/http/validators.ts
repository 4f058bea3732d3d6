import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formatsPlugin from 'ajv-formats'
import type { TSchema } from 'typebox'
import type { ProblemDetail } from '../kernel/refusal.ts'

/**
 * Two validators. Bodies are never coerced: a coercing one turns null into 0 and "". Queries and path parameters are text
 * on the wire, so they are.
 */
export interface Validators {
  body(schema: TSchema): ValidateFunction
  query(schema: TSchema): Check
}

/** Says whether the input fits; `errors` then tells what was wrong with the last one. */
interface Check {
  (input: unknown): boolean
  errors?: ErrorObject[] | null
}

export function createValidators(): Validators {
  const body = withFormats(new Ajv({ allErrors: true, strictTypes: false, allowUnionTypes: true }))
  const query = withFormats(
    new Ajv({
      allErrors: true,
      strictTypes: false,
      allowUnionTypes: true,
      coerceTypes: true,
      useDefaults: true,
    }),
  )
  return { body: (schema) => body.compile(schema), query: (schema) => refuseInfinite(query.compile(schema)) }
}

/** Coercion makes Infinity of "1e400", and then takes no bound of a number to apply to it. */
function refuseInfinite(validate: ValidateFunction): Check {
  const check: Check = (input) => {
    const fits = validate(input)
    const found = Object.entries(input ?? {}).find(([, value]) => value === Infinity || value === -Infinity)
    check.errors = fits && found ? [infiniteError(found[0])] : (validate.errors ?? null)
    return fits && !found
  }
  return check
}

const infiniteError = (name: string): ErrorObject => ({
  instancePath: `/${name}`,
  schemaPath: '',
  keyword: 'type',
  params: {},
  message: 'must be a finite number',
})

function withFormats(ajv: Ajv): Ajv {
  formatsPlugin.default(ajv, ['date-time', 'uuid'])
  return ajv
}

/** The problems that a validator found, each with the JSON pointer of its field. */
export function toProblems(
  errors: readonly Pick<ErrorObject, 'instancePath' | 'message' | 'params' | 'keyword'>[],
): ProblemDetail[] {
  const problems = errors
    .filter(({ keyword }) => keyword !== 'anyOf')
    .map(({ instancePath, keyword, message, params }) => {
      const missing = keyword === 'required' ? `/${String(params.missingProperty)}` : ''
      const allowed = keyword === 'enum' ? `: ${JSON.stringify(params.allowedValues)}` : ''
      return {
        path: instancePath + missing,
        message: missing ? 'is required' : `${message ?? 'does not fit'}${allowed}`,
      }
    })
  return problems.length > 0 ? problems : [{ path: '', message: 'does not fit' }]
}
