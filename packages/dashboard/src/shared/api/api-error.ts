import type { Violation } from '@burgee/contract'
import { asSentence, plainText } from './plain-text.ts'

/** One field of the input that does not fit. */
export interface ErrorDetail {
  /** A JSON pointer (RFC 6901) into the body, or the name of a query field. */
  readonly path: string
  readonly message: string
}

/** A response other than a success, or none at all. Its texts are in the words of the page. */
export class ApiError extends Error {
  /** The HTTP status; 0 where no response came. */
  readonly status: number
  readonly details: readonly ErrorDetail[]
  /** The whole body, for endpoints that state more: `attempts_remaining`, `retry_after_seconds`. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(typeof body.error === 'string' ? asSentence(plainText(body.error)) : describeStatus(status))
    this.name = 'ApiError'
    this.status = status
    this.body = body
    this.details = Array.isArray(body.details)
      ? body.details.filter(isDetail).map(({ message, path }) => ({ path, message: plainText(message) }))
      : []
  }
}

/** For responses without a text, such as those of a proxy. */
const describeStatus = (status: number): string => `The server responded with ${status}.`

/** The message to show for an error of any kind. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'Something went wrong. Try again.'

export const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status

/** Returns the invariants for which the server refuses a write; none for another error. */
export function violationsOf(error: unknown): readonly Violation[] {
  const violations = error instanceof ApiError && error.status === 422 ? error.body.violations : undefined
  // The contract states what the field holds.
  return Array.isArray(violations) ? (violations as Violation[]) : []
}

const isDetail = (value: unknown): value is ErrorDetail =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<ErrorDetail>).path === 'string' &&
  typeof (value as Partial<ErrorDetail>).message === 'string'
