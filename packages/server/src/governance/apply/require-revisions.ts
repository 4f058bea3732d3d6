import type { ApplyInput } from '@burgee/contract'
import type { EnvironmentWrite } from '../../changes/index.ts'
import { preconditionFailed } from '../../kernel/refusal.ts'
import { findRevisions } from './queries.ts'

/** Refuses with `stale` when a flag or segment has another revision than expected. */
export async function requireRevisions(
  { environment, tx }: EnvironmentWrite,
  { if_revisions }: ApplyInput,
): Promise<void> {
  if (!if_revisions) return
  const expected = { flags: if_revisions.flags ?? {}, segments: if_revisions.segments ?? {} }
  const moved: string[] = []
  for (const table of ['flags', 'segments'] as const) {
    const wanted = Object.entries(expected[table])
    const keys = wanted.map(([key]) => key)
    const current = await findRevisions(tx, environment.id, { table, keys })
    for (const [key, revision] of wanted) {
      const now = current.get(key) ?? 0
      if (now !== revision) moved.push(`${table === 'flags' ? 'flag' : 'segment'} "${key}" (now ${now})`)
    }
  }
  if (moved.length === 0) return
  const shown = moved.slice(0, SHOWN_MAX).join(', ')
  const more = moved.length > SHOWN_MAX ? ` and ${moved.length - SHOWN_MAX} more` : ''
  throw preconditionFailed(`Changed since the plan was made: ${shown}${more}. Make a new plan.`)
}

/** The names in the message of a refusal. */
const SHOWN_MAX = 20
