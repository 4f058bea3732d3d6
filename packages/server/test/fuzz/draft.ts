import { toJsonText } from './hostile-values.ts'

/** A request before it is serialized: the input of mutations. */
export interface Draft {
  readonly method: string
  /** The path with `:name` parameters, as in the contract. */
  readonly template: string
  /** The parameters as sent, percent-encoded or not. */
  readonly params: Readonly<Record<string, string>>
  /** The query without its question mark; empty for none. */
  readonly query: string
  readonly headers: Headers
  /** The body, sent as JSON; undefined for none. */
  readonly body: unknown
  /** The bytes to send instead of `body`. */
  readonly bytes?: Buffer
  /** A replacement for the whole path. */
  readonly path?: string
  /** The statuses that the mutations allow, beyond those of the endpoint. */
  readonly invited: readonly number[]
  /** The mutations, for the report. */
  readonly how: readonly string[]
}
type Headers = Readonly<Record<string, string | readonly string[]>>

export interface WireRequest {
  readonly method: string
  /** The path with the query. */
  readonly path: string
  readonly headers: Headers
  readonly body: Buffer | undefined
}

export function writeOut({
  body,
  bytes,
  headers,
  method,
  params,
  path,
  query,
  template,
}: Draft): WireRequest {
  const filled = path ?? template.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  return {
    method,
    path: query === '' ? filled : `${filled}?${query}`,
    headers,
    body: bytes ?? (body === undefined ? undefined : Buffer.from(toJsonText(body))),
  }
}
