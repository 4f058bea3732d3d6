import type { DomainEventType, Flag, FlagTimes } from '@burgee/contract'
import type {
  AuditAction,
  AuditOrigin,
  EnvironmentWrite,
  FlagChange,
  WriteOutcome,
} from '../../changes/index.ts'
import type { EnvironmentName } from '../../kernel/domain-event.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import type { FlagRow } from '../flags/index.ts'
import { expandFlag, removeFlag, saveFlag, timesOfSaved } from '../flags/index.ts'

export interface FlagTransition {
  readonly before: Flag | null
  /** The flag after the change; null deletes it. */
  readonly after: Flag | null
  /** The row of the flag before, where the write has read it: saving the flag then costs no round trip. */
  readonly row?: FlagRow | undefined
  readonly action: AuditAction
  readonly event: DomainEventType
  readonly origin: AuditOrigin
  /** Additional fields for the audit log's `metadata`. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** The environment that a promoted flag comes from. */
  readonly source_environment?: EnvironmentName
}

/**
 * Stores one flag's transition with its change for SDKs, its audit entry and its events. Every change of a
 * flag uses this, inside `writeEnvironment`. Returns the times of the flag, of a deleted one as they were.
 */
export async function changeFlag(
  write: EnvironmentWrite,
  transition: FlagTransition,
): Promise<WriteOutcome<FlagTimes>> {
  const { after, before } = transition
  const flag = after ?? before
  if (!flag) throw new Error('a transition needs a flag before or after it')
  const change = await toChange(write, flag.key, before, after)
  return {
    result: await storeFlag(write, flag.key, transition),
    changes: [{ ...change, wire_bytes: after ? transition.row?.wire_bytes : undefined }],
    audit: {
      action: transition.action,
      flag_key: flag.key,
      before,
      after,
      metadata: { ...transition.metadata, origin: transition.origin },
    },
    events: [
      {
        type: transition.event,
        flag_key: flag.key,
        flag: after,
        previous: before,
        ...(transition.source_environment && { source_environment: transition.source_environment }),
      },
    ],
  }
}

async function storeFlag(
  write: EnvironmentWrite,
  key: string,
  { after, row }: FlagTransition,
): Promise<FlagTimes> {
  if (!after) return removeFlag(write.tx, write.environment.id, key)
  const saving = saveFlag(write, after)
  if (!row || !write.send) return saving
  write.send(saving)
  return timesOfSaved(write, row.created_at)
}

/**
 * Returns the change for SDKs, which do not know archived flags: archiving deletes the flag there, and a
 * change to an archived flag is invisible.
 */
async function toChange(
  write: EnvironmentWrite,
  flag_key: string,
  before: Flag | null,
  after: Flag | null,
): Promise<FlagChange> {
  if (after && after.archived_at === null) {
    await shareTurn()
    return { kind: 'upsert', flag_key, flag: await expandFlag(write, after) }
  }
  return { kind: before?.archived_at === null ? 'delete' : 'none', flag_key }
}
