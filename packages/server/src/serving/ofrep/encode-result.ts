import type { Evaluation } from '@burgee/evaluation'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import { toFailure } from './failure.ts'
import { failedFlag } from './refusals.ts'

/** The JSON of a result, and whether it is a value. */
interface EncodedResult {
  readonly text: string
  readonly isSuccess: boolean
}

/** Encodes results of flags. Each is encoded once, because the evaluator returns the same object again. */
export interface ResultEncoder {
  encode(flag: WireFlag, evaluation: Evaluation, isNumber: boolean): EncodedResult
}

export function createResultEncoder(): ResultEncoder {
  const known = new WeakMap<Evaluation, EncodedResult>()
  return {
    encode(flag, evaluation, isNumber) {
      // The result of malformed flags is one object for all of them.
      if (evaluation.reason === 'ERROR') return encodeFailure(flag.key, evaluation)
      const found = known.get(evaluation)
      if (found) return found
      const encoded = { text: encodeSuccess(flag, evaluation, isNumber), isSuccess: true }
      known.set(evaluation, encoded)
      return encoded
    },
  }
}

function encodeFailure(key: string, evaluation: Evaluation): EncodedResult {
  const refusal = failedFlag(key, evaluation)
  return { text: JSON.stringify(toFailure(refusal, refusal.message, key)), isSuccess: false }
}

function encodeSuccess({ key, metadata }: WireFlag, evaluation: Evaluation, isNumber: boolean): string {
  const { reason, value, variant = 'default' } = evaluation
  const head = JSON.stringify({
    key,
    // OpenFeature has no reason of its own for it.
    reason: reason === 'PREREQUISITE_FAILED' ? 'DISABLED' : reason,
    variant,
    ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
  })
  if (value === null) return head
  const text = isNumber && typeof value === 'number' ? withFraction(value) : JSON.stringify(value)
  return `${head.slice(0, -1)},"value":${text}}`
}

/** For some languages `2` is no floating-point number. */
function withFraction(value: number): string {
  const text = JSON.stringify(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}
