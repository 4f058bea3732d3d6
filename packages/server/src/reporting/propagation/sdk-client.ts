import type { ClientDescription } from './client-header.ts'

/** A client that confirms what it has applied, on this server. */
export interface SdkClient extends ClientDescription {
  readonly key_id: number | null
  /** The open streams; 0 for a client that polls. */
  streams: number
  /** The revision that it has confirmed; -1 before. */
  revision: number
  /** Milliseconds since 1970. */
  connectedAt: number
  seenAt: number
  /** Milliseconds of the monotonic clock. */
  readonly connectedMs: number
  seenMs: number
}

/** A confirmation of a client that is connected to another server. */
export interface ForeignAck {
  readonly environment_id: string
  readonly client_id: string
  readonly key_id: number | null
  readonly revision: number
  /** When the client had applied it, in milliseconds since 1970. */
  readonly appliedAtMs: number
}

/** The rows that have to be stored. */
export interface DueClients {
  readonly servers: readonly { readonly environment_id: string; readonly unconfirmable: number }[]
  readonly clients: readonly { readonly environment_id: string; readonly client: SdkClient }[]
  readonly gone: readonly { readonly environment_id: string; readonly client_id: string }[]
  readonly counts: readonly {
    readonly environment_id: string
    readonly revision: number
    readonly counts: readonly number[]
  }[]
  readonly foreign: readonly ForeignAck[]
}
