import type { BulkInput, BulkResult } from '@burgee/contract'
import type { Actor } from '../../kernel/actor.ts'
import { assertNever } from '../../kernel/assert-never.ts'
import { invalid, type Refusal } from '../../kernel/refusal.ts'
import { limitWarnings, withWarnings } from '../../kernel/with-warnings.ts'
import type { Log } from '../../platform/log/log.ts'
import type { FlagOperation } from '../flag-model/index.ts'
import { type FlagWriteDeps, operateOnFlag } from './operate-on-flag.ts'

export interface BulkDeps extends FlagWriteDeps {
  /** Converts an error to a refusal; null for an internal error. */
  readonly refusalOf: (error: unknown) => Refusal | null
  /** Returns the HTTP status of a refusal. */
  readonly statusOf: (refusal: Refusal) => number
  readonly log: Log
}

export interface BulkChangeInput {
  readonly environment_id: string
  readonly input: BulkInput
}

/**
 * Applies one action to several flags, each separately, in the given order: a refusal of one does not affect
 * others. Each result is returned as soon as it exists; a caller that stops reading ends the work. Refuses
 * with `invalid` when the action lacks its tags.
 */
export function changeFlagsInBulk(
  deps: BulkDeps,
  actor: Actor,
  { environment_id, input }: BulkChangeInput,
): AsyncIterable<BulkItem> {
  const operation = toOperation(input)
  async function* results() {
    for (const key of input.keys) {
      yield await operateOnOne(deps, actor, { environment_id, key, operation, preconditions: {} })
    }
  }
  return results()
}

/** The violations of one flag: a response has up to 1,000 flags. */
const VIOLATIONS_MAX = 3

type BulkItem = BulkResult['results'][number]

async function operateOnOne(
  deps: BulkDeps,
  actor: Actor,
  input: Parameters<typeof operateOnFlag>[2],
): Promise<BulkItem> {
  const { key } = input
  try {
    const done = await operateOnFlag(deps, actor, input)
    const { warnings } = done
    if (done.kind === 'queued') {
      return { key, status: 202, change_request: limitWarnings(withWarnings(done.change_request, warnings)) }
    }
    const { flag, times } = done
    return flag
      ? { key, status: 200, flag: limitWarnings(withWarnings({ ...flag, ...times }, warnings)) }
      : { key, status: 204 }
  } catch (error) {
    const refusal = deps.refusalOf(error)
    if (refusal) {
      const violations = refusal.extras.violations?.slice(0, VIOLATIONS_MAX)
      const status = deps.statusOf(refusal)
      return { key, status, error: refusal.message, ...(violations && { violations }) }
    }
    // Earlier changes stay, so the response continues.
    deps.log.error({ err: error, flag_key: key }, 'a bulk change failed for one flag')
    return { key, status: 500, error: 'Something went wrong.' }
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
      if (!tags?.length)
        throw invalid([{ path: '/tags', message: `must name at least one tag for ${action}` }])
      return { operation: action, tags }
    default:
      return assertNever(action)
  }
}
