import { type ChangeRequest, isObject } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { type Actor, actorIdentity } from '../../kernel/actor.ts'
import { isUuid } from '../../kernel/is-uuid.ts'
import { readCursor } from '../../kernel/list-cursor.ts'
import { listLimit } from '../../kernel/paging.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { ProjectScope } from '../../kernel/scope.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { EncodedReply } from '../../platform/replies/endpoint-handler.ts'
import { type ListDeps, mapInTurns, replyWithList } from '../../platform/replies/reply-with-list.ts'
import type { OperationMoment } from '../../targeting/flag-model/index.ts'
import { findCreationTimes, findFlags } from '../../targeting/flags/index.ts'
import { findStoredImpact } from '../../targeting/stored-impacts/index.ts'
import { findPendingAmong } from '../scheduled-changes/index.ts'
import { type Caller, type ReviewPlace, toCaller } from './change-request.ts'
import { type CurrentState, previewChange } from './preview-change.ts'
import {
  type ChangeRequestFilter,
  changeRequestList,
  findApprovalSettings,
  findChangeRequest,
  type StoredChangeRequest,
} from './queries.ts'
import { withApprovalsNow } from './reviewer-queries.ts'
import { toChangeRequest, toDecidedChange } from './to-change-request.ts'

interface ListInput extends Omit<ChangeRequestFilter, 'requester' | 'waitingFor'> {
  /** Only the caller's own requests. */
  readonly mine?: boolean | undefined
  /** Only pending requests that the caller may approve. */
  readonly waiting_for_me?: boolean | undefined
  /** The caller, for the filters that concern them. */
  readonly actor: Actor
  readonly membership: ProjectScope['membership']
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  /** With what approving pending ones would do now, and the change of decided ones. */
  readonly preview?: boolean | undefined
  /** The time, ISO 8601 in UTC. */
  readonly moment: OperationMoment
}

const NAME = 'change_requests'

/** Requests of an environment: the pending ones first, and each part newest first. */
export async function listChangeRequests(
  deps: ListDeps,
  { actor, cursor, limit, membership, mine, moment, preview = false, waiting_for_me, ...filter }: ListInput,
): Promise<EncodedReply> {
  const { environment_id } = filter
  const requester = mine ? actorIdentity(actor) : undefined
  const at = { environment_id, membership }
  const waitingFor = waiting_for_me ? await findCaller(deps.db, actor, at) : undefined
  const place = readCursor(NAME, ['id', 'id'], cursor)
  const after = place && { rank: Number(place[0]), id: Number(place[1]) }
  return replyWithList(deps, {
    name: NAME,
    query: changeRequestList({ ...filter, requester, waitingFor, preview }, after),
    limit: listLimit(limit),
    convert: (items) => convertRequests(deps.db, { environment_id, moment, preview }, items),
  })
}

async function findCaller(
  db: Kysely<Database>,
  actor: Actor,
  at: Omit<ReviewPlace, 'settings'>,
): Promise<Caller> {
  const settings = await findApprovalSettings(db, at.environment_id)
  if (!settings) throw notFound('environment')
  return toCaller(actor, { ...at, settings })
}

/** One request, with its preview while it is pending; undefined where there is none. */
export async function readChangeRequest(
  db: Kysely<Database>,
  {
    environment_id,
    id,
    moment,
  }: { readonly environment_id: string; readonly id: number; readonly moment: OperationMoment },
): Promise<ChangeRequest | undefined> {
  const found = await findChangeRequest(db, environment_id, id)
  const [stored] = await withApprovalsNow(db, found ? [found] : [])
  if (!stored) return undefined
  const impact = await findStoredImpact(db, environment_id, `change_request:${id}`)
  const shown = {
    comments: [...stored.comments],
    ...(impact && { impact }),
  }
  if (stored.status !== 'pending') {
    return toChangeRequest(stored, { ...shown, preview: null, decided_change: toDecidedChange(stored) })
  }
  const stateOf = await readStates(db, environment_id, [stored])
  const preview = await previewChange(stored, stateOf(stored), moment)
  return toChangeRequest(stored, { ...shown, preview, decided_change: null })
}

interface Conversion {
  readonly environment_id: string
  readonly moment: OperationMoment
  readonly preview: boolean
}

async function convertRequests(
  db: Kysely<Database>,
  { environment_id, moment, preview: wantsPreview }: Conversion,
  items: readonly string[],
): Promise<string[]> {
  const listed = await mapInTurns(items, (item): StoredChangeRequest => JSON.parse(item))
  const requests = await withApprovalsNow(db, listed)
  const isPreviewed = ({ status }: StoredChangeRequest) => wantsPreview && status === 'pending'
  const pending = requests.filter(isPreviewed)
  const stateOf = await readStates(db, environment_id, pending)
  const texts: string[] = []
  for (const stored of requests) {
    await shareTurn()
    const preview = isPreviewed(stored) ? await previewChange(stored, stateOf(stored), moment) : null
    const decided_change = wantsPreview ? toDecidedChange(stored) : null
    texts.push(JSON.stringify(toChangeRequest(stored, { comments: null, preview, decided_change })))
  }
  return texts
}

/** Returns a function that finds the state of what the requests concern. */
async function readStates(
  db: Kysely<Database>,
  environment_id: string,
  requests: readonly StoredChangeRequest[],
): Promise<(request: StoredChangeRequest) => CurrentState> {
  const findFlag = await readFlags(db, environment_id, [...new Set(requests.map(({ flag_key }) => flag_key))])
  const withdrawn = requests.map(withdrawnSchedule).filter((id) => id !== null)
  const pending = await findPendingAmong(db, environment_id, withdrawn)
  return (request) => {
    const id = withdrawnSchedule(request)
    return { flag: findFlag(request), isScheduleGone: id !== null && !pending.has(id) }
  }
}

/** Returns the scheduled change that a request withdraws; null for other requests. */
function withdrawnSchedule({ body }: StoredChangeRequest): string | null {
  if (!isObject(body) || body.operation !== 'unschedule') return null
  const id = String(body.scheduled_change_id)
  return isUuid(id) ? id : null
}

/**
 * Returns a function that finds the flag of a request among those with the given keys. One that was created
 * later under the same key is a different flag.
 */
async function readFlags(db: Kysely<Database>, environment_id: string, keys: readonly string[]) {
  const creationTimes = await findCreationTimes(db, environment_id, keys)
  const flags = new Map((await findFlags(db, environment_id, keys)).map((flag) => [flag.key, flag]))
  return ({
    created_at,
    flag_key,
    operation,
  }: Pick<StoredChangeRequest, 'created_at' | 'flag_key' | 'operation'>) =>
    operation !== 'create' && (creationTimes.get(flag_key) ?? '') > created_at
      ? undefined
      : flags.get(flag_key)
}
