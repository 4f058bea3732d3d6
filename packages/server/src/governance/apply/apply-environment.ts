import {
  APPLY_CHANGES_MAX_BYTES,
  type AppliedChange,
  type ApplyInput,
  type ApplyResult,
  type Impact,
  type ImpactChange,
  type Warning,
} from '@burgee/contract'
import {
  addWarnings,
  type EnvironmentWrite,
  type FlagChange,
  RolledBack,
  recordParts,
  tryEnvironment,
  type WriteOutcome,
  type WrittenPart,
  writeEnvironment,
} from '../../changes/index.ts'
import { type Actor, actorIdentity } from '../../kernel/actor.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import type { FlagWriteDeps } from '../../targeting/flag-operations/index.ts'
import { applySegments, type DependentsDeps, type SegmentsApplied } from '../../targeting/segments/index.ts'
import type { ImpactOf } from '../../targeting/stored-impacts/index.ts'
import { findUnknown } from './find-unknown.ts'
import { type PlannedFlag, planFlags } from './plan-flags.ts'
import { requireRevisions } from './require-revisions.ts'
import { requireShort } from './require-short.ts'
import { requireUnique } from './require-unique.ts'
import { type FlagsApplied, writeFlags } from './write-flags.ts'

export type ApplyDeps = FlagWriteDeps &
  DependentsDeps & { readonly newId: () => string; readonly impactOf: ImpactOf }

export interface ApplyEnvironmentInput {
  readonly project_id: string
  readonly environment_id: string
  readonly input: ApplyInput
}

/**
 * Brings the listed segments and flags of an environment to their wanted state, in one write. A dry run is
 * the same write, rolled back. Refuses with `stale` when `if_revisions` does not hold, with `invalid` and
 * every problem, and with `conflict` when another name manages a flag that would change.
 */
export async function applyEnvironment(
  deps: ApplyDeps,
  actor: Actor,
  { environment_id, input, project_id }: ApplyEnvironmentInput,
): Promise<ApplyResult> {
  await requireShort(input)
  requireUnique(input)
  const work = (write: EnvironmentWrite) => applyWithin(deps, write, actor, input)
  const withWarnings = ({ result, ...applied }: Applied, warnings: readonly Warning[]): Applied => ({
    ...applied,
    result: addWarnings(result, warnings),
  })
  if (input.dry_run === true) {
    const applied = await tryEnvironment(deps, environment_id, actor, work, { withWarnings })
    const { change_requests: _, ...result } = applied.result
    const place = { caller: actorIdentity(actor), project_id, environment_id }
    const impact = await findImpact(deps, { ...applied, ...place, users: input.users })
    return { ...result, ...(impact && { impact }) }
  }
  try {
    return (await writeEnvironment(deps, environment_id, actor, work, { withWarnings })).result
  } catch (error) {
    // Nothing differs, so there is nothing to store. Only this work throws it.
    if (error instanceof RolledBack) return (error.result as Applied).result
    throw error
  }
}

interface Applied {
  readonly result: ApplyResult
  /** The changes as the impact takes them. */
  readonly changes: readonly ImpactChange[]
}

/** Returns the impact of a dry run; null where it cannot be computed, which the plan does not need. */
async function findImpact(
  { impactOf }: ApplyDeps,
  { result: _, ...changes }: Applied & Parameters<ImpactOf>[0],
): Promise<Impact | null> {
  try {
    return await impactOf(changes)
  } catch (error) {
    if (error instanceof Refusal && error.kind !== 'unavailable') return null
    throw error
  }
}

/** Returns the segments and the flags that change. */
function toImpactChanges(
  { segments = [] }: ApplyInput,
  { items }: SegmentsApplied,
  planned: readonly PlannedFlag[],
): ImpactChange[] {
  const changed = new Set(items.map(({ after }) => after.key))
  return [
    ...segments.filter(({ key }) => changed.has(key)).map((patch) => ({ segment_key: patch.key, patch })),
    // Operations are changes of an impact, except those that a plan never has.
    ...planned.map(({ after, operation }) => ({ flag_key: after.key, ...operation }) as ImpactChange),
  ]
}

async function applyWithin(
  deps: ApplyDeps,
  write: EnvironmentWrite,
  actor: Actor,
  input: ApplyInput,
): Promise<WriteOutcome<Applied>> {
  await requireRevisions(write, input)
  const segments = await applySegments(deps, write, actor, input.segments ?? [])
  const plan = await planFlags(write, input)
  const problems = [...segments.problems, ...plan.problems]
  if (problems.length > 0) throw invalid(problems)
  const other = plan.elsewhere[0]
  if (other && input.take_over !== true) throw managedElsewhere(other.key, other.managed_by ?? '')
  const flags = await writeFlags(deps, write, actor, { input, planned: plan.planned })
  const sent = new Set(flags.changes.map(({ flag_key }) => flag_key))
  const dependents = segments.changes.filter(({ flag_key }) => !sent.has(flag_key))
  const revisions = flags.changes.length + dependents.length
  const applied = toResult(write, input, { segments, flags, revisions })
  const result = {
    result: addWarnings(applied, await findUnknown(input, applied.changes)),
    changes: toImpactChanges(input, segments, plan.planned),
  }
  const parts = [...segmentParts(segments, dependents), ...flags.parts]
  const recorded = await recordParts(write, parts, deps.quotaBytes)
  if (!recorded) throw new RolledBack(result)
  // The stored flags have the first revisions, in their order.
  const isWritten = ({ flag_key }: FlagChange) => sent.has(flag_key)
  const changes = [
    ...recorded.changes.filter(isWritten),
    ...recorded.changes.filter((change) => !isWritten(change)),
  ]
  return { result, changes, audit: recorded.audit, events: flags.events }
}

/** Returns the segments with the flags that change through them: each belongs to the first that it names. */
function segmentParts({ items }: SegmentsApplied, dependents: readonly FlagChange[]): WrittenPart[] {
  const parts = items.map(({ after, audit }) => ({ key: after.key, audit, changes: [] as FlagChange[] }))
  for (const change of dependents) {
    const named = change.kind === 'upsert' ? (change.flag.origins ?? []) : []
    const keys = new Set(named.flatMap(({ segment_keys }) => segment_keys))
    const part = parts.find(({ key }) => keys.has(key)) ?? parts[0]
    part?.changes.push(change)
  }
  return parts
}

const managedElsewhere = (key: string, name: string) =>
  new Refusal(
    'conflict',
    `The flag "${key}" is managed by "${name}". Change it there, or send take_over to manage it here.`,
    { reason: 'managed_elsewhere' },
  )

interface Written {
  readonly segments: SegmentsApplied
  readonly flags: FlagsApplied
  readonly revisions: number
}

function toResult(
  { environment }: EnvironmentWrite,
  { dry_run = false }: ApplyInput,
  { flags, revisions, segments }: Written,
): ApplyResult {
  const bySegment = segments.items.map(({ after, before, changes, warnings }) => ({
    resource: 'segment' as const,
    key: after.key,
    action: before ? ('update' as const) : ('create' as const),
    base_revision: before?.revision ?? 0,
    changes: [...changes],
    warnings: [...warnings],
  }))
  const { change_requests } = flags
  return {
    revision: environment.revision + revisions,
    dry_run,
    changes: cutChanges([...bySegment, ...flags.items]),
    ...(change_requests.length > 0 && { change_requests: [...change_requests] }),
  }
}

/** Leaves out differences from where the response would be too large. */
function cutChanges(items: readonly AppliedChange[]): AppliedChange[] {
  let bytes = 0
  return items.map((item) => {
    bytes += JSON.stringify(item.changes).length
    return bytes <= APPLY_CHANGES_MAX_BYTES ? item : { ...item, changes: [], is_cut: true }
  })
}
