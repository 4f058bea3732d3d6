import { createParseAck } from '../http/bodies/parse-ack.ts'
import type { Shortcut } from '../http/requests/front-requests.ts'
import { describeFailure } from '../http/responses/describe-failure.ts'
import { SNAPSHOT_HEADERS } from '../http/responses/response-headers.ts'
import { toRefusal } from '../http/responses/to-refusal.ts'
import type { SdkKeyActor } from '../kernel/actor.ts'
import { createAckShortcut } from '../reporting/propagation/index.ts'
import { createEvaluationShortcut } from '../serving/ofrep/index.ts'
import { createSnapshotShortcut } from '../serving/stream/index.ts'
import type { Parts } from './create-parts.ts'

/** Lists the fast paths, which respond without the framework. */
export function listShortcuts({
  access,
  acknowledge,
  clock,
  limits,
  live,
  log,
  newId,
  ofrep,
  sdkClients,
}: Parts): Shortcut[] {
  const shared = {
    findKnownKey: access.keys.findKnown,
    headers: SNAPSHOT_HEADERS,
    newId,
    take: (actor: SdkKeyActor) => limits.take(actor, 'other') === null,
  }
  const toError = (error: unknown, request: { readonly url: string; readonly id: string }) =>
    describeFailure(log, { error, refusal: toRefusal(error) }, request)
  return [
    createSnapshotShortcut({
      ...shared,
      clients: sdkClients,
      peekSnapshot: live.snapshots.peek,
    }),
    createEvaluationShortcut({
      ...shared,
      clock,
      responder: ofrep.responder,
      isLoaded: (environment_id) => live.evaluationSets.peek(environment_id) !== undefined,
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
