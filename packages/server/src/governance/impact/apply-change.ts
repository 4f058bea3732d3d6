import { type Flag, type ImpactChange, segmentsBehind } from '@burgee/contract'
import { inPart, invalid, notFound } from '../../kernel/refusal.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import {
  applyOperation,
  type FlagOperation,
  type OperationMoment,
  readStoredOperation,
} from '../../targeting/flag-model/index.ts'
import type { Segments } from '../../targeting/rules/index.ts'
import {
  afterEdit,
  findReach,
  planEdit,
  type SegmentContent,
  type SegmentEdit,
} from '../../targeting/segments/index.ts'
import { FLAG_EXISTS } from '../change-requests/index.ts'
import type { PromotionSource, ReadEnvironment, RequestedChange } from './read-environment.ts'

/** Why a flag moves. */
export type Cause = 'changed' | 'segment' | 'prerequisite'

/** The flags and segments of an environment, to which changes are applied one after another. */
export interface ChangedState {
  readonly flags: Map<string, Flag>
  readonly stored: Map<string, SegmentContent>
  segments: Segments
  readonly causes: Map<string, Cause>
}

interface Step {
  readonly change: ImpactChange
  /** The place of the change in the input. */
  readonly index: number
  /** The time of the changes, and the budget that they share. */
  readonly moment: OperationMoment
}

/** Applies one change, as its write would. Refuses what the write would refuse, except a missing approval. */
export async function applyChange(
  state: ChangedState,
  { requests, sources }: ReadEnvironment,
  { change, index, moment }: Step,
): Promise<void> {
  if ('segment_key' in change) {
    const { patch, segment_key: key } = change
    const planned = await inPart(`/changes/${index}/patch`, () =>
      planEdit(state.segments, state.stored.get(key) ?? null, { key, patch }),
    )
    await applySegment(state, planned.edit)
    state.stored.delete(key)
    if (planned.after) state.stored.set(planned.after.key, planned.after)
    return
  }
  if ('promote' in change) {
    const source = sources.get(index)
    if (!source) throw notFound('flag')
    if (change.promote.copy_segments === true) await copySegments(state, source)
    const { archived_at: _a, revision: _r, ...flag } = source.flag
    return applyFlag(state, flag.key, { operation: 'promote', flag, source: source.name }, moment)
  }
  if ('change_request_id' in change) {
    const requested = requests.get(index)
    if (!requested) throw notFound('change request')
    return applyRequest(state, requested, moment)
  }
  const operation = operationOf(change, index)
  const part = operation.operation === 'replace' ? 'flag' : 'patch'
  await inPart(`/changes/${index}/${part}`, () => applyFlag(state, change.flag_key, operation, moment))
}

async function applyRequest(
  state: ChangedState,
  { isGone, request }: RequestedChange,
  moment: OperationMoment,
) {
  const isCreation = request.operation === 'create'
  if (isCreation && state.flags.has(request.flag_key)) throw invalid([{ path: '', message: FLAG_EXISTS }])
  if (isGone || (!isCreation && !state.flags.has(request.flag_key))) throw notFound('flag')
  return applyFlag(state, request.flag_key, await readStoredOperation(request.body), moment)
}

async function applyFlag(
  state: ChangedState,
  key: string,
  operation: FlagOperation,
  moment: OperationMoment,
): Promise<void> {
  const { after } = await applyOperation(state.flags.get(key) ?? null, operation, moment)
  if (after) state.flags.set(key, after)
  else state.flags.delete(key)
  state.causes.set(key, 'changed')
}

/** Adds the segments behind a promoted flag that the environment lacks. */
async function copySegments(state: ChangedState, source: PromotionSource): Promise<void> {
  const { flag, segments: there, stored } = source
  const before = state.segments
  const missing = new Set(
    [...segmentsBehind(flag.rules, there)].filter((key) => there.has(key) && !before.has(key)),
  )
  if (missing.size === 0) return
  const after = new Map(before)
  for (const key of missing) {
    const segment = there.get(key)
    if (segment) after.set(key, segment)
  }
  for (const segment of stored) if (missing.has(segment.key)) state.stored.set(segment.key, segment)
  await applySegment(state, { keys: missing, rename: null, before, after })
}

async function applySegment(state: ChangedState, edit: SegmentEdit): Promise<void> {
  const reach = await findReach(edit)
  for (const [key, flag] of state.flags) {
    await shareTurn()
    const current = afterEdit(flag, edit, reach)
    if (!current) continue
    state.flags.set(key, current)
    if (!state.causes.has(key)) state.causes.set(key, 'segment')
  }
  state.segments = edit.after
}

function operationOf(
  { flag, flag_key, operation, patch }: Extract<ImpactChange, { flag_key: string }>,
  index: number,
): FlagOperation {
  const refuse = (field: string, message: string) =>
    invalid([{ path: `/changes/${index}/${field}`, message }])
  if (operation === 'patch') {
    if (patch === undefined) throw refuse('patch', 'is needed for the operation patch')
    return { operation, patch }
  }
  if (operation !== 'replace') return { operation }
  if (flag === undefined) throw refuse('flag', 'is needed for the operation replace')
  if (flag.key !== flag_key) throw refuse('flag/key', `must be ${flag_key}, as flag_key`)
  return { operation, flag }
}
