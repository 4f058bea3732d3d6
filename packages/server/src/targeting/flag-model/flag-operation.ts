import {
  completeShare,
  type DomainEventType,
  type Flag,
  type FlagInput,
  type FlagPatch,
  mergeSteps,
} from '@burgee/contract'
import type { AuditAction } from '../../changes/index.ts'
import { assertNever } from '../../kernel/assert-never.ts'
import type { CheckBudget } from '../../kernel/check-budget.ts'
import type { EnvironmentName } from '../../kernel/domain-event.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import { inTurns } from '../../platform/concurrency/turns.ts'
import { type FlagContent, toFlagContent } from './flag.ts'
import { validateFlag } from './validate-flag.ts'

/** An operation on one flag. It is data, so that it can wait for approval or for its time. */
export type FlagOperation =
  /** A merge patch (RFC 7386). */
  | { readonly operation: 'patch'; readonly patch: FlagPatch }
  /** The whole flag, which is created when it does not exist. */
  | { readonly operation: 'replace'; readonly flag: FlagInput }
  /** The content of the flag in another environment; it is created when it does not exist. */
  | { readonly operation: 'promote'; readonly flag: FlagContent; readonly source: EnvironmentName }
  /** The flag at an earlier revision. */
  | { readonly operation: 'restore'; readonly flag: Flag }
  | { readonly operation: 'archive' }
  | { readonly operation: 'unarchive' }
  | { readonly operation: 'add_tags'; readonly tags: readonly string[] }
  | { readonly operation: 'remove_tags'; readonly tags: readonly string[] }
  /** The withdrawal of a scheduled change, which leaves the flag as it is. */
  | { readonly operation: 'unschedule'; readonly scheduled_change_id: string }
  | { readonly operation: 'delete' }

export interface FlagOutcome {
  /** The flag with its previous revision, or 0; null when it is deleted. */
  readonly after: Flag | null
  readonly action: AuditAction
  readonly event: DomainEventType
}

/** The request or the work that applies an operation. */
export interface OperationMoment {
  /** The time of archiving, ISO 8601 in UTC: the server's, whatever a patch contains. */
  readonly now: string
  /** All operations of one request share it. */
  readonly budget: CheckBudget
}

/**
 * Applies an operation to the current flag and validates the result as a whole, in turns. Refuses with
 * `not_found` when there is no flag and the operation does not create one, with `invalid` when the result is
 * not a valid flag, and with `unavailable` when its check took too long.
 */
export const applyOperation = (
  before: Flag | null,
  operation: FlagOperation,
  moment: OperationMoment,
): Promise<FlagOutcome> => inTurns(operationSteps(before, operation, moment))

/** Does the same in steps, as a part of a longer computation. */
export function* operationSteps(
  before: Flag | null,
  operation: FlagOperation,
  moment: OperationMoment,
): Generator<void, FlagOutcome> {
  const { operation: kind } = operation
  const { budget, now } = moment
  const stored = { before, budget }
  if (kind === 'replace') {
    // Replacing a flag also restores it from the archive (docs/reference/flags.md#archiving).
    const content = toFlagContent(operation.flag)
    yield
    const after = toFlag(content, null, stored)
    return { after, action: before ? 'update' : 'create', event: 'flag.created' }
  }
  if (kind === 'promote') {
    // Everything except whether it is archived (docs/reference/flags.md#promotion-and-comparison).
    const after = toFlag(operation.flag, before?.archived_at ?? null, stored)
    return { after, action: 'promote', event: 'flag.promoted' }
  }
  if (!before) throw notFound('flag')
  switch (kind) {
    case 'patch': {
      const after = yield* applyPatch(before, operation.patch, moment)
      return { after, action: patchAction(before, after), event: 'flag.updated' }
    }
    case 'restore': {
      const { archived_at, revision: _, ...content } = operation.flag
      const archived = archived_at === null ? null : (before.archived_at ?? now)
      return { after: toFlag(content, archived, stored), action: 'restore', event: 'flag.updated' }
    }
    case 'archive': {
      const after = { ...before, archived_at: before.archived_at ?? now }
      return { after, action: 'archive', event: 'flag.updated' }
    }
    case 'unarchive':
      return { after: { ...before, archived_at: null }, action: 'unarchive', event: 'flag.updated' }
    case 'add_tags': {
      const tags = [...new Set([...before.tags, ...operation.tags])]
      return { after: { ...before, tags }, action: 'update', event: 'flag.updated' }
    }
    case 'remove_tags': {
      const removed = new Set(operation.tags)
      const tags = before.tags.filter((tag) => !removed.has(tag))
      return { after: { ...before, tags }, action: 'update', event: 'flag.updated' }
    }
    case 'unschedule':
      return { after: before, action: 'unschedule', event: 'flag.updated' }
    case 'delete':
      return { after: null, action: 'delete', event: 'flag.deleted' }
    default:
      return assertNever(kind)
  }
}

function toFlag(
  content: FlagContent,
  archived_at: string | null,
  { before, budget }: { readonly before: Flag | null; readonly budget: CheckBudget },
): Flag {
  const problems = validateFlag(content, before, budget)
  if (problems.length > 0) throw invalid(problems)
  return { ...content, archived_at, revision: before?.revision ?? 0 }
}

function* applyPatch(flag: Flag, patch: FlagPatch, { budget, now }: OperationMoment): Generator<void, Flag> {
  if (patch.key !== undefined && patch.key !== flag.key) {
    throw invalid([{ path: '/key', message: 'cannot be changed; create a flag with the new key instead' }])
  }
  const { archived_at, ...given } = patch
  const archived = archived_at === undefined ? flag.archived_at : archived_at && (flag.archived_at ?? now)
  const content = toFlagContent(yield* mergeContent(flag, completeShare(given)))
  yield
  return toFlag(content, archived, { before: flag, budget })
}

/**
 * Merges a patch into the flag. The schema has validated each given field, and only free-form JSON is merged
 * with the stored value. A schema of values is one value: it is replaced as a whole.
 */
function* mergeContent(flag: Flag, patch: Pick<FlagPatch, 'value_schema'>): Generator<void, FlagInput> {
  const merged = (yield* mergeSteps({ ...flag }, { ...patch })) as unknown as FlagInput
  return patch.value_schema === undefined ? merged : { ...merged, value_schema: patch.value_schema }
}

function patchAction(before: Flag, after: Flag): 'archive' | 'unarchive' | 'update' {
  if (before.archived_at === null && after.archived_at !== null) return 'archive'
  if (before.archived_at !== null && after.archived_at === null) return 'unarchive'
  return 'update'
}
