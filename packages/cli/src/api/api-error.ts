import { isObject } from '@burgee/contract'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'

/** A response other than a success, with the server's own text. */
export class ApiError extends CommandError {
  /** The HTTP status. */
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, body: unknown) {
    const fields = isObject(body) ? body : {}
    const text = typeof fields.error === 'string' ? fields.error : `The server responded with ${status}.`
    super(text, EXIT.failed, detailsOf(fields.details))
    this.name = 'ApiError'
    this.status = status
    this.body = fields
  }
}

const detailsOf = (details: unknown): string[] =>
  Array.isArray(details)
    ? details.filter(isObject).map(({ path, message }) => `${String(path)}: ${String(message)}`)
    : []
