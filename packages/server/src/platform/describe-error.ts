import { errorCode } from './error-code.ts'
import { hideAddresses } from './hide-addresses.ts'

/** Some messages repeat what they complain of: a whole body, a pattern of 60 KB. */
const MESSAGE_MAX_LENGTH = 500
const STACK_MAX_LENGTH = 5_000

/**
 * What a log line holds of an error. Drivers hang their connection and the rows that a constraint refused on their errors; neither
 * belongs in a log, and no more does the address that a message repeats.
 */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = errorCode(error)
  const cause = error.cause === undefined ? undefined : describeError(error.cause)
  const message = hideAddresses(shortened(error.message))
  return { type: error.name, message, code: code ?? undefined, stack: stackOf(error), cause }
}

/** A stack begins with the message, which goes through the same. */
function stackOf({ message, stack }: Error): string | undefined {
  const whole = message === '' ? stack : stack?.replace(message, () => shortened(message))
  return whole && hideAddresses(whole.slice(0, STACK_MAX_LENGTH))
}

const shortened = (message: string): string =>
  message.length > MESSAGE_MAX_LENGTH ? `${message.slice(0, MESSAGE_MAX_LENGTH)}…` : message
