import type { ScheduledChange, ScheduledChangeInput, Warning } from '@burgee/contract'
import { type EnvironmentWrite, type WriteOutcome, writeEnvironment } from '../../changes/index.ts'
import { type Actor, actorName } from '../../kernel/actor.ts'
import { isGuarded } from '../../kernel/approval.ts'
import { toInstant } from '../../kernel/instant.ts'
import { inPart, notFound, type Refusal } from '../../kernel/refusal.ts'
import { applyOperation } from '../../targeting/flag-model/index.ts'
import type { FlagWriteDeps, QueuedChange } from '../../targeting/flag-operations/index.ts'
import { findFlag, findWarnings, requireSendable } from '../../targeting/flags/index.ts'
import type { RecordImpact } from '../../targeting/stored-impacts/index.ts'
import { planImpact } from './plan-impact.ts'
import { insertScheduledChange } from './queries.ts'

export interface ScheduleDeps extends Omit<FlagWriteDeps, 'onFlagDeleted'> {
  readonly newId: () => string
  readonly recordImpact: RecordImpact
  /** Called after a scheduled change was stored, which may be due already. */
  readonly onScheduled: () => void
}

export interface ScheduleInput {
  readonly environment_id: string
  readonly key: string
  readonly input: ScheduledChangeInput
  /** The refusal of a change at once, which needs more than the right to schedule; null where it is had. */
  readonly refuseAtOnce: Refusal | null
}

/** A change that is due within this time is one at once: others could hardly see it before it runs. */
const AT_ONCE_MS = 60_000

type Scheduled =
  | {
      readonly kind: 'scheduled'
      readonly scheduled_change: ScheduledChange
      readonly warnings: readonly Warning[]
    }
  | QueuedChange

/**
 * Schedules a patch that is validated against the current flag, or requests approval where every change needs
 * one. Refuses with `not_found` (no flag) and `invalid` (the patch does not fit).
 */
export async function scheduleChange(
  deps: ScheduleDeps,
  actor: Actor,
  { environment_id, input, key, refuseAtOnce }: ScheduleInput,
): Promise<Scheduled> {
  const scheduled_at = toInstant(input.scheduled_at)
  const scheduled = await writeEnvironment<Scheduled>(deps, environment_id, actor, async (write) => {
    const before = await findFlag(write.tx, environment_id, key)
    if (!before) throw notFound('flag')
    // A reviewer decides about a change in a guarded environment.
    if (refuseAtOnce && !isGuarded(write.environment) && isAtOnce(scheduled_at, write.now)) throw refuseAtOnce
    const operation = { operation: 'patch', patch: input.patch } as const
    const { after } = await inPart('/patch', () => applyOperation(before, operation, write))
    await requireSendable(write, after)
    const warnings = after ? await findWarnings(write, after) : []
    if (!isGuarded(write.environment)) {
      const outcome = await store(deps, write, actor, { key, scheduled_at, input })
      return { ...outcome, result: { kind: 'scheduled', scheduled_change: outcome.result, warnings } }
    }
    const outcome = await deps.openChangeRequest(write, actor, { before, after, operation, scheduled_at })
    return { ...outcome, result: { kind: 'queued', change_request: outcome.result, warnings } }
  })
  deps.onScheduled()
  return scheduled
}

const isAtOnce = (scheduled_at: string, now: string): boolean =>
  Date.parse(scheduled_at) - Date.parse(now) < AT_ONCE_MS

async function store(
  deps: ScheduleDeps,
  write: EnvironmentWrite,
  actor: Actor,
  { input, key, scheduled_at }: { key: string; scheduled_at: string; input: ScheduledChangeInput },
): Promise<WriteOutcome<ScheduledChange>> {
  const { environment, now, tx } = write
  const scheduled_change = await insertScheduledChange(tx, {
    id: deps.newId(),
    environment_id: environment.id,
    flag_key: key,
    scheduled_at,
    patch: { ...input.patch },
    scheduled_by: actorName(actor),
    comment: actor.comment ?? null,
    change_request_id: null,
    created_at: now,
  })
  planImpact(deps, write, scheduled_change)
  return {
    result: scheduled_change,
    changes: [],
    audit: {
      action: 'schedule',
      flag_key: key,
      before: null,
      after: scheduled_change,
      metadata: { origin: 'direct', scheduled_change_id: scheduled_change.id },
    },
    events: [],
  }
}
