import type { ClientError } from '../client-error.ts'
import type { ClientOptions } from '../client-options.ts'
import type { FlagStore } from '../flag-store.ts'
import type { Platform } from '../platform.ts'
import type { Request } from '../request.ts'
import type { ConnectionState } from './connection-machine.ts'

interface ConnectionListener {
  /**
   * A bootstrap or snapshot is complete and its flags are in the store. `flagKeys` are the flags that differ.
   * `isSnapshot` is true for one beside a connection that may be out of date, or in the regular course.
   */
  onReady(flagKeys: string[], isSnapshot: boolean): void
  /** A live update has changed these flags; none during a bootstrap. */
  onUpdate(flagKeys: string[]): void
  onStale(): void
  onError(error: ClientError): void
}

export interface ConnectionNeeds {
  readonly platform: Platform
  readonly request: Request
  /** Called when a bootstrap, a snapshot or the update with this id is in the store. */
  readonly applied: (id?: string) => void
  readonly store: FlagStore
  readonly options: ClientOptions
  readonly listener: ConnectionListener
}

/** The way by which flags arrive. */
export interface Connection {
  readonly state: ConnectionState
  isPolling(): boolean
  /** Connects, and stays connected. Resolves or returns nothing; rejects when there is no further attempt. */
  start(): Promise<void> | undefined
  /** Requests a snapshot now, unless the flags are up to date. */
  refresh(): Promise<void>
  close(): void
}
