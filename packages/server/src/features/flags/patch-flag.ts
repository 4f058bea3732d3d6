import type { Flag, FlagInput, FlagPatch } from '@burgee/contract'
import { type WriteDeps, writeEnvironment } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { mergePatch } from '../../kernel/merge-patch.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import { changeFlag } from './change-flag.ts'
import { findWarnings } from './find-warnings.ts'
import { toFlagContent } from './flag.ts'
import type { WrittenFlagResult } from './put-flag.ts'
import { findFlag } from './queries.ts'
import { requireRevision } from './require-revision.ts'
import { validateFlag } from './validate-flag.ts'

export interface PatchFlagInput {
  readonly environment_id: string
  readonly key: string
  readonly patch: FlagPatch
  readonly if_match: string | undefined
}

/** Changes the given fields of a flag (RFC 7386) and validates the outcome as a whole. */
export async function patchFlag(
  deps: WriteDeps,
  actor: Actor,
  input: PatchFlagInput,
): Promise<WrittenFlagResult> {
  return writeEnvironment(deps, input.environment_id, actor, async (write) => {
    const before = await findFlag(write.tx, input.environment_id, input.key)
    if (!before) throw notFound('flag')
    requireRevision(before, input.if_match)
    const after = { ...applyPatch(before, input.patch, write.now), revision: write.next_revision }
    const warnings = await findWarnings(write, after)
    const action = actionOf(before, after)
    const transition = { before, after, action, event: 'flag.updated', origin: 'direct' } as const
    return changeFlag(write, transition, { flag: after, warnings })
  })
}

/**
 * The flag as the patch leaves it, with its old revision. `now` is stored when the patch archives it: the server's time,
 * whatever the patch says. Refuses with `invalid`.
 */
function applyPatch(flag: Flag, patch: FlagPatch, now: string): Flag {
  if (patch.key !== undefined && patch.key !== flag.key) {
    throw invalid([{ path: '/key', message: 'cannot be changed; create a flag with the new key instead' }])
  }
  const { archived_at, ...content } = patch
  const patched = toFlagContent(mergeContent(flag, content))
  const problems = validateFlag(patched)
  if (problems.length > 0) throw invalid(problems)
  const archived = archived_at === undefined ? flag.archived_at : archived_at && (flag.archived_at ?? now)
  return { ...patched, archived_at: archived, revision: flag.revision }
}

/** The schema has judged each given field, and what is merged with the stored value is free-form JSON only. */
function mergeContent(flag: Flag, patch: object): FlagInput {
  return mergePatch({ ...flag }, { ...patch }) as unknown as FlagInput
}

function actionOf(before: Flag, after: Flag): 'archive' | 'unarchive' | 'update' {
  if (before.archived_at === null && after.archived_at !== null) return 'archive'
  if (before.archived_at !== null && after.archived_at === null) return 'unarchive'
  return 'update'
}
