import type { Basics } from '../changes/index.ts'
import { createParseAck } from '../http/bodies/parse-ack.ts'
import type { Shortcut } from '../http/requests/front-requests.ts'
import type { RequestLimits } from '../http/requests/request-limits.ts'
import { describeFailure } from '../http/responses/describe-failure.ts'
import { SNAPSHOT_HEADERS } from '../http/responses/response-headers.ts'
import { toRefusal } from '../http/responses/to-refusal.ts'
import type { SdkKeyActor } from '../kernel/actor.ts'
import { createAckShortcut } from '../reporting/propagation/index.ts'
import { createEvaluationShortcut } from '../serving/ofrep/index.ts'
import { createSnapshotShortcut } from '../serving/stream/index.ts'
import type { Composed } from './compose.ts'

interface Deps extends Pick<Composed, 'structure' | 'reporting' | 'serving'> {
  readonly basics: Basics
  readonly limits: RequestLimits
}

/** Lists the fast paths, which respond without the framework. */
export function listShortcuts({ basics, limits, reporting, serving, structure }: Deps): Shortcut[] {
  const { clock, log, newId } = basics
  const { acknowledge, sdkClients: clients } = reporting
  const { peekSnapshot, responder, sets } = serving
  const shared = {
    findKnownKey: structure.keys.findKnown,
    headers: SNAPSHOT_HEADERS,
    newId,
    take: (actor: SdkKeyActor) => limits.take(actor, 'other') === null,
  }
  const toError = (error: unknown, request: { readonly url: string; readonly id: string }) =>
    describeFailure(log, { error, refusal: toRefusal(error) }, request)
  return [
    createSnapshotShortcut({ ...shared, clients, peekSnapshot }),
    createEvaluationShortcut({
      ...shared,
      clock,
      responder,
      isLoaded: (environment_id) => sets.peek(environment_id) !== undefined,
      toError,
    }),
    createAckShortcut({
      ...shared,
      clock,
      acknowledge,
      toError,
      parse: createParseAck(),
      take: (actor) => limits.take(actor, 'ingest') === null,
    }),
  ]
}
