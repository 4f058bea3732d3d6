import { type WriteDeps, writeEnvironment } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { changeFlag } from './change-flag.ts'
import { findFlag } from './queries.ts'
import { requireRevision } from './require-revision.ts'

export interface DeleteFlagInput {
  readonly environment_id: string
  readonly key: string
  readonly if_match: string | undefined
}

export async function deleteFlag(deps: WriteDeps, actor: Actor, input: DeleteFlagInput): Promise<void> {
  await writeEnvironment(deps, input.environment_id, actor, async (write) => {
    const before = await findFlag(write.tx, input.environment_id, input.key)
    if (!before) throw notFound('flag')
    requireRevision(before, input.if_match)
    const transition = {
      before,
      after: null,
      action: 'delete',
      event: 'flag.deleted',
      origin: 'direct',
    } as const
    return changeFlag(write, transition, undefined)
  })
}
