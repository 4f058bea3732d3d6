import type { Client, Evaluation, JsonValue } from '@burgee/sdk'
import type { FlagMetadata, ResolutionDetails } from '@openfeature/core'
import { userOf } from './user-of.ts'

/** The types of values that OpenFeature requests. */
type ValueType = 'boolean' | 'string' | 'number' | 'object'

/** The errors of the OpenFeature SDK that the program uses. */
interface Errors {
  readonly FlagNotFoundError: new (message: string) => Error
  readonly ParseError: new (message: string) => Error
  readonly TypeMismatchError: new (message: string) => Error
}

export interface ResolveOptions {
  /** Adds the environment and its revision to the metadata of each result. Default false. */
  readonly telemetry?: boolean
}

interface Question<Value> {
  readonly flagKey: string
  readonly type: ValueType
  readonly defaultValue: Value
  readonly context: Readonly<Record<string, unknown>>
}

/** Evaluates a flag for OpenFeature. Throws one of `errors` where there is no value of the type. */
export function resolve<Value>(
  client: Client,
  { context, defaultValue, flagKey, type }: Question<Value>,
  { errors, telemetry = false }: ResolveOptions & { readonly errors: Errors },
): ResolutionDetails<Value> {
  const { attributes, userKey } = userOf(context)
  const evaluation = client.evaluate(flagKey, userKey, attributes)
  const { reason, value, variant } = evaluation
  if (reason === 'FLAG_NOT_FOUND') throw new errors.FlagNotFoundError(`There is no flag ${flagKey}.`)
  if (reason === 'ERROR') throw new errors.ParseError(describe(flagKey, evaluation))
  // Spread objects would take most of the time of an evaluation.
  const details: ResolutionDetails<Value> = {
    value: defaultValue,
    reason: reasonOf(reason),
    flagMetadata: metadataOf(client, flagKey, telemetry),
  }
  // Without a value the code decides.
  if (value === null) return details
  if (!isOfType(value, type))
    throw new errors.TypeMismatchError(
      `The flag ${flagKey} has a value of the type ${typeof value}, not ${type}.`,
    )
  details.value = value as Value
  if (variant !== undefined) details.variant = variant
  return details
}

const describe = (flagKey: string, { message }: Evaluation) =>
  `The flag ${flagKey} cannot be evaluated${message === undefined ? '' : `: it ${message}`}.`

/** OpenFeature has no reason of its own for a prerequisite that failed. */
const reasonOf = (reason: Evaluation['reason']) => (reason === 'PREREQUISITE_FAILED' ? 'DISABLED' : reason)

const isOfType = (value: JsonValue, type: ValueType): boolean => typeof value === type

function metadataOf(client: Client, flagKey: string, telemetry: boolean): FlagMetadata {
  const metadata = client.getMetadata(flagKey)
  if (!telemetry) return metadata
  const { environmentId, revision } = client.status
  return {
    ...metadata,
    ...(environmentId !== null && { flagSetId: environmentId }),
    version: String(revision),
  }
}
