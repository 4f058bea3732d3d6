import { addWarnings, type EnvironmentWrite, writeEnvironment } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import { type Preconditions, requireRevision } from '../flag-model/index.ts'
import { findFlag } from '../flags/index.ts'
import { findFlagAtRevision } from './flag-history.ts'
import { applyOrRequestApproval, type FlagWriteDeps, type OperatedFlag } from './operate-on-flag.ts'

export interface RestoreFlagInput {
  readonly environment_id: string
  readonly key: string
  readonly revision: number
  readonly preconditions: Preconditions
}

/**
 * Restores a flag at a revision of its history, as a new change. Refuses with `invalid` for a revision that
 * the history lacks.
 */
export async function restoreFlag(
  deps: FlagWriteDeps,
  actor: Actor,
  { environment_id, key, preconditions, revision }: RestoreFlagInput,
): Promise<OperatedFlag> {
  // Before the lock: searching a long history takes a while, and its entries never change.
  const flag = await findFlagAtRevision(deps.db, environment_id, key, revision)
  const work = async (write: EnvironmentWrite) => {
    const before = await findFlag(write.tx, environment_id, key)
    if (!before) throw notFound('flag')
    requireRevision(before, preconditions)
    if (!flag) throw unknownRevision(revision)
    const operation = { operation: 'restore', flag } as const
    const metadata = { restored_revision: revision }
    return applyOrRequestApproval(deps, write, actor, { before, operation, origin: 'direct', metadata })
  }
  return writeEnvironment(deps, environment_id, actor, work, { withWarnings: addWarnings })
}

const unknownRevision = (revision: number) =>
  invalid([
    {
      path: '/revision',
      message: `${revision} is not a revision in the flag's history; choose one of those`,
    },
  ])
