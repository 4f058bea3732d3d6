import { toJsonText } from './hostile-values.ts'

/** A request before it is written out: what mutations work on. */
export interface Draft {
  readonly method: string
  /** With `:name` parameters, as the contract has it. */
  readonly template: string
  /** As they go over the wire, percent-encoded or not. */
  readonly params: Readonly<Record<string, string>>
  /** Without its question mark; empty for none. */
  readonly query: string
  readonly headers: Headers
  /** Sent as JSON; undefined sends none. */
  readonly body: unknown
  /** Sent as they are, in place of `body`. */
  readonly bytes?: Buffer
  /** Replaces the whole path. */
  readonly path?: string
  /** Statuses that may answer what was done to the request, beyond those that its endpoint declares. */
  readonly invited: readonly number[]
  /** What was done to it, for the report. */
  readonly how: readonly string[]
}
type Headers = Readonly<Record<string, string | readonly string[]>>

export interface WireRequest {
  readonly method: string
  /** With the query. */
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
