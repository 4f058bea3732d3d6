import { createEvaluationShortcut } from '../features/ofrep/index.ts'
import { describeFailure } from '../http/describe-failure.ts'
import type { Shortcut } from '../http/front-requests.ts'
import { SNAPSHOT_HEADERS } from '../http/response-headers.ts'
import { toRefusal } from '../http/to-refusal.ts'
import type { SdkKeyActor } from '../kernel/actor.ts'
import type { Config } from '../platform/settings/config.ts'
import { createCacheControl, createSnapshotShortcut } from '../stream/index.ts'
import type { Parts } from './create-parts.ts'

/** Lists the fast paths, which respond without the framework. */
export function listShortcuts(
  { clientSnapshotCacheSeconds }: Pick<Config, 'clientSnapshotCacheSeconds'>,
  { access, clock, limits, live, log, newId, ofrep }: Parts,
): Shortcut[] {
  const shared = {
    findKnownKey: access.keys.findKnown,
    headers: SNAPSHOT_HEADERS,
    newId,
    take: (actor: SdkKeyActor) => limits.take(actor, 'other') === null,
  }
  return [
    createSnapshotShortcut({
      ...shared,
      peekSnapshot: live.snapshots.peek,
      cacheControlOf: createCacheControl(clientSnapshotCacheSeconds),
    }),
    createEvaluationShortcut({
      ...shared,
      clock,
      responder: ofrep.responder,
      isLoaded: (environment_id) => live.evaluationSets.peek(environment_id) !== undefined,
      toError: (error, request) => describeFailure(log, { error, refusal: toRefusal(error) }, request),
    }),
  ]
}
