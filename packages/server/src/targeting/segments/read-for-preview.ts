import type { Flag, Segment } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { type Actor, isWorkspaceAdmin } from '../../kernel/actor.ts'
import { isGuarded } from '../../kernel/approval.ts'
import type { Database } from '../../platform/db/tables.ts'
import { listFlagsNamingSegments } from '../flags/index.ts'
import type { FlagRules, Segments } from '../rules/index.ts'
import { readSegments } from '../segment-rows/index.ts'
import type { DependentsDeps } from './change-segment.ts'
import { findApproval, findSegment } from './queries.ts'

export interface PreviewRead {
  readonly stored: Segment | undefined
  readonly segments: Segments
  /** The flags that name segments. */
  readonly flags: readonly Flag[]
  /** The rules of pending changes; null when the write needs no approval. */
  readonly waiting: readonly FlagRules[] | null
}

export interface PreviewReadDeps extends DependentsDeps {
  readonly db: Kysely<Database>
}

/** Reads what a preview needs from one database snapshot, and locks nothing. */
export async function readForPreview(
  { db, listWaitingRules }: PreviewReadDeps,
  actor: Actor,
  { environment_id, key }: { readonly environment_id: string; readonly key: string },
): Promise<PreviewRead> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const approval = await findApproval(tx, environment_id)
      const isFree = !approval || !isGuarded(approval) || isWorkspaceAdmin(actor)
      return {
        stored: await findSegment(tx, environment_id, key),
        segments: await readSegments(tx, environment_id),
        flags: await listFlagsNamingSegments(tx, environment_id),
        waiting: isFree ? null : await listWaitingRules({ tx, environment: { id: environment_id } }),
      }
    })
}
