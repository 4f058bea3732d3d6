/** One field of the input that does not fit. */
export interface ErrorDetail {
  /** A JSON pointer (RFC 6901) into the body, or the name of a query field. */
  readonly path: string
  readonly message: string
}

/** A response other than a success, or none at all. */
export class ApiError extends Error {
  /** The HTTP status; 0 where no response came. */
  readonly status: number
  readonly details: readonly ErrorDetail[]
  /** The whole body, for endpoints that say more: `attempts_remaining`, `retry_after_seconds`. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(typeof body.error === 'string' ? body.error : `The server answered ${status}.`)
    this.name = 'ApiError'
    this.status = status
    this.body = body
    this.details = Array.isArray(body.details) ? body.details.filter(isDetail) : []
  }
}

/** The message to show for an error of any kind. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'Something went wrong. Try again.'

export const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status

const isDetail = (value: unknown): value is ErrorDetail =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<ErrorDetail>).path === 'string' &&
  typeof (value as Partial<ErrorDetail>).message === 'string'
