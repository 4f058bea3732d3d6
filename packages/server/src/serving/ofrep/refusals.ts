import type { Evaluation } from '@burgee/evaluation'
import { Refusal } from '../../kernel/refusal.ts'

export const unknownFlag = (key: string): Refusal =>
  new Refusal(
    'not_found',
    `There is no flag "${key}" in the environment of this key. Check the key of the flag, and which environment the SDK key belongs to.`,
  )

/** The refusal of a result that is an error: the flag is not valid, or too large for the context. */
export const failedFlag = (key: string, { message }: Pick<Evaluation, 'message'>): Refusal =>
  new Refusal(
    'malformed',
    message === undefined
      ? `The flag "${key}" cannot be evaluated. Open it in the dashboard and save it again.`
      : `The flag "${key}" cannot be evaluated: it ${message}.`,
  )
