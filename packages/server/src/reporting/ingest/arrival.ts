import { type Actor, isClientKey } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { type BatchName, readBatchName } from './batch-name.ts'

/** The facts of a request that its reports depend on. */
export interface Arrival {
  /** Milliseconds since 1970; also the time of reports without one. */
  readonly receivedAt: number
  /** True for a client key, whose times are bounded (docs/reference/reports.md#client-keys). */
  readonly isFromClient: boolean
  readonly contentLength: string | undefined
  readonly name: BatchName | undefined
}

/**
 * Describes the arrival of a batch of reports.
 *
 * @throws Refusal of the kind `invalid` when the name of the batch is not one.
 */
export function readArrival(
  clock: Clock,
  {
    actor,
    headers,
    query,
  }: {
    readonly actor: Actor
    readonly headers: Readonly<Record<string, string | undefined>>
    readonly query: { readonly batch?: string | undefined }
  },
): Arrival {
  return {
    receivedAt: clock.now().getTime(),
    isFromClient: isClientKey(actor),
    contentLength: headers['content-length'],
    name: readBatchName(actor, headers['x-burgee-batch'] ?? query.batch),
  }
}
