import type { Flag, FlagInput, Warning } from '@burgee/contract'
import { type WriteDeps, writeEnvironment } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { invalid } from '../../kernel/refusal.ts'
import { changeFlag } from './change-flag.ts'
import { findWarnings } from './find-warnings.ts'
import { toFlagContent } from './flag.ts'
import { findFlag } from './queries.ts'
import { requireRevision } from './require-revision.ts'
import { validateFlag } from './validate-flag.ts'

export interface PutFlagInput {
  readonly environment_id: string
  readonly flag: FlagInput
  readonly if_match: string | undefined
}

export interface WrittenFlagResult {
  readonly flag: Flag
  readonly warnings: readonly Warning[]
}

/** Creates a flag, or replaces it whole where the key exists; a replaced flag is no longer archived (contract, section 5). */
export async function putFlag(
  deps: WriteDeps,
  actor: Actor,
  input: PutFlagInput,
): Promise<WrittenFlagResult> {
  const content = toFlagContent(input.flag)
  const problems = validateFlag(content)
  if (problems.length > 0) throw invalid(problems)
  return writeEnvironment(deps, input.environment_id, actor, async (write) => {
    const before = (await findFlag(write.tx, input.environment_id, content.key)) ?? null
    requireRevision(before ?? undefined, input.if_match)
    const after = { ...content, archived_at: null, revision: write.next_revision }
    const warnings = await findWarnings(write, after)
    const action = before ? 'update' : 'create'
    const transition = { before, after, action, event: 'flag.created', origin: 'direct' } as const
    return changeFlag(write, transition, { flag: after, warnings })
  })
}
