import { type ChangeRequest, type Flag, findMergePatch } from '@burgee/contract'
import { deepEqual, type JsonValue } from '@burgee/evaluation'
import type { Transaction } from 'kysely'
import type { EnvironmentWrite, WriteOutcome } from '../../changes/index.ts'
import { type Actor, actorIdentity, actorName, personBehind } from '../../kernel/actor.ts'
import { isGuarded } from '../../kernel/approval.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { ProposedChange } from '../../targeting/flag-operations/index.ts'
import { findCreationTimes } from '../../targeting/flags/index.ts'
import { toPreview } from './preview-change.ts'
import { insertChangeRequest } from './queries.ts'
import { findRequestedWith, type RequesterDeps } from './requester-queries.ts'
import { toChangeRequest, toStoredRequest } from './to-change-request.ts'

/** Stores a change as a request for approval. The flag does not change. */
export async function openChangeRequest(
  deps: RequesterDeps,
  { environment, now, tx }: EnvironmentWrite,
  actor: Actor,
  { after, before, operation, requester: planner, scheduled_at }: ProposedChange,
): Promise<WriteOutcome<ChangeRequest>> {
  const flag_key = (before ?? after)?.key
  if (flag_key === undefined) throw new Error('a proposed change needs a flag before or after it')
  const requester = planner ?? toRequester(environment, actor)
  const stored = await insertChangeRequest(tx, {
    environment_id: environment.id,
    flag_key,
    operation: before ? operation.operation : 'create',
    patch: operation.operation === 'patch' ? { ...operation.patch } : toFlagPatch(before, after),
    body: operation,
    scheduled_at,
    requested_by: requester.name,
    requester: requester.identity,
    requester_user_id: requester.user_id,
    requested_with: planner ? null : await findRequestedWith(deps, tx, actor),
    comment: requester.comment,
    base_flag: before,
    created_at: await clampToFlagCreation(tx, { environment_id: environment.id, flag_key, now }),
  })
  const request = toStoredRequest(stored)
  return {
    result: toChangeRequest(stored, {
      preview: toPreview(before, after),
      decided_change: null,
      comments: [],
    }),
    changes: [],
    audit: {
      action: 'change_request.open',
      flag_key,
      before: null,
      after: request,
      metadata: { origin: 'direct', change_request_id: stored.id },
    },
    events: [
      {
        type: 'change_request.opened',
        flag_key,
        flag: before,
        previous: null,
        change_request: request,
      },
    ],
  }
}

const toRequester = (environment: EnvironmentWrite['environment'], actor: Actor) => ({
  name: actorName(actor),
  identity: actorIdentity(actor),
  user_id: personBehind(actor, { isGuarded: isGuarded(environment) }),
  comment: actor.comment ?? null,
})

/**
 * Returns a time that is not before the creation of the flag: a request concerns a flag that existed before
 * it (see `approveChangeRequest`), also when an instance with a clock ahead of ours created the flag.
 */
async function clampToFlagCreation(
  tx: Transaction<Database>,
  { environment_id, flag_key, now }: { environment_id: string; flag_key: string; now: string },
): Promise<string> {
  const flagCreatedAt = (await findCreationTimes(tx, environment_id, [flag_key])).get(flag_key)
  return flagCreatedAt !== undefined && flagCreatedAt > now ? flagCreatedAt : now
}

/** Fields that only the server assigns. */
const NOT_PATCHED: readonly string[] = ['key', 'revision']

/**
 * Returns the merge patch (RFC 7386) from one flag to the other; empty when the flag is deleted, and the
 * whole content when it is created.
 */
function toFlagPatch(before: Flag | null, after: Flag | null): Record<string, JsonValue> {
  if (!after) return {}
  const stored = new Map(Object.entries<JsonValue>(before ?? {}))
  const changed = Object.entries<JsonValue>(after).filter(
    ([name, value]) => !NOT_PATCHED.includes(name) && !deepEqual(stored.get(name), value),
  )
  return Object.fromEntries(
    changed.map(([name, value]) => [name, findMergePatch(stored.get(name), value).patch]),
  )
}
