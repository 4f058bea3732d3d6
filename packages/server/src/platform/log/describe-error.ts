import { errorCode } from './error-code.ts'
import { hideAddresses } from './hide-addresses.ts'

/** The length of a message. Some repeat their input: a whole body, a pattern of 60 KB. */
const MESSAGE_MAX_LENGTH = 500
const STACK_MAX_LENGTH = 5_000

/**
 * Describes an error for the log. Drivers attach their connection and refused rows to errors; neither belongs
 * into a log, and neither do addresses in a message.
 */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = errorCode(error)
  const cause = error.cause === undefined ? undefined : describeError(error.cause)
  const message = hideAddresses(shortened(error.message))
  return { type: error.name, message, code: code ?? undefined, stack: stackOf(error), cause }
}

/** Describes a stack, which starts with the message and is cleaned in the same way. */
function stackOf({ message, stack }: Error): string | undefined {
  const whole = message === '' ? stack : stack?.replace(message, () => shortened(message))
  return whole && hideAddresses(whole.slice(0, STACK_MAX_LENGTH))
}

const shortened = (message: string): string =>
  message.length > MESSAGE_MAX_LENGTH ? `${message.slice(0, MESSAGE_MAX_LENGTH)}…` : message
