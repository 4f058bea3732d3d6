import type { Author } from '../kernel/actor.ts'
import { notFound } from '../kernel/refusal.ts'
import type { EnvironmentWrite } from './environment-write.ts'
import { lockEnvironment } from './queries.ts'
import { recordChanges, type WriteBounds } from './record-changes.ts'
import type { WriteOutcome } from './write-environment.ts'
import type { WorkspaceWrite } from './write-workspace.ts'

/** The outcome of work that SDKs do not notice. */
type UnnoticedOutcome<T> = WriteOutcome<T> & { readonly changes: readonly never[] }

/**
 * Runs work of an environment in the transaction of another write, and stores its audit entry and events
 * there. SDKs notice nothing of it. The caller wakes the deliveries after the commit.
 */
export async function writeWithin<T>(
  bounds: WriteBounds,
  { afterCommit, budget, now, tx }: WorkspaceWrite,
  { author, environment_id }: { readonly author: Author; readonly environment_id: string },
  work: (write: EnvironmentWrite) => Promise<UnnoticedOutcome<T>>,
): Promise<T> {
  const environment = await lockEnvironment(tx, environment_id)
  if (!environment) throw notFound('environment')
  const nextRevision = environment.revision + 1
  const base = { tx, environment, others: new Map(), nextRevision, now, budget }
  const outcome = await work({ ...base, author, afterCommit })
  await recordChanges(tx, { environment, actor: author, now, ...outcome }, bounds)
  return outcome.result
}
