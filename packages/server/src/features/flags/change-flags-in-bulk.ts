import type { BulkInput, BulkResult } from '@burgee/contract'
import type { Actor } from '../../kernel/actor.ts'
import { assertNever } from '../../kernel/assert-never.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import type { FlagOperation } from './flag-operation.ts'
import { type FlagWriteDeps, operateOnFlag } from './operate-on-flag.ts'
import { withWarnings } from './with-warnings.ts'

export interface BulkDeps extends FlagWriteDeps {
  /** The HTTP status of a refusal. */
  readonly statusOf: (refusal: Refusal) => number
}

/**
 * One action over several flags, each by itself, in the order given: what one key is refused for does not touch the
 * others. Refuses with `invalid` when the action needs tags and has none.
 */
export async function changeFlagsInBulk(
  deps: BulkDeps,
  actor: Actor,
  { environment_id, input }: { readonly environment_id: string; readonly input: BulkInput },
): Promise<BulkResult> {
  const operation = toOperation(input)
  const results: BulkResult['results'] = []
  for (const key of input.keys) {
    results.push(await operateOnOne(deps, actor, { environment_id, key, operation, if_match: undefined }))
  }
  return { results }
}

async function operateOnOne(
  deps: BulkDeps,
  actor: Actor,
  input: Parameters<typeof operateOnFlag>[2],
): Promise<BulkResult['results'][number]> {
  const { key } = input
  try {
    const done = await operateOnFlag(deps, actor, input)
    if (done.kind === 'queued') return { key, status: 202, change_request: done.change_request }
    const { flag, warnings } = done
    return flag ? { key, status: 200, flag: withWarnings(flag, warnings) } : { key, status: 204 }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { key, status: deps.statusOf(error), error: error.message }
  }
}

function toOperation({ action, tags }: BulkInput): FlagOperation {
  switch (action) {
    case 'enable':
      return { operation: 'patch', patch: { is_enabled: true } }
    case 'disable':
      return { operation: 'patch', patch: { is_enabled: false } }
    case 'archive':
    case 'unarchive':
    case 'delete':
      return { operation: action }
    case 'add_tags':
    case 'remove_tags':
      if (!tags?.length) throw invalid([{ path: '/tags', message: `name at least one tag to ${action}` }])
      return { operation: action, tags }
    default:
      return assertNever(action)
  }
}
