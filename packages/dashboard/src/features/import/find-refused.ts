import { type Invariant, isObject } from '@burgee/contract'
import { ApiError, type ErrorDetail } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/call.ts'
import { describeDetail } from '../../shared/api/plain-text.ts'
import type { ImportPart } from './import-plan.ts'

type Flags = Pick<ImportPart, 'flags'>
type Reasons = ReadonlyMap<string, string>

/** The refusal of a dry run. */
export interface Refused {
  /** The reason for each flag that is refused; empty where something else is. */
  readonly reasons: Reasons
  /** The invariants that refuse it, in words; empty where something else does. */
  readonly violations: readonly string[]
}

/** Returns what a dry run was refused for; null for a failure of another kind. */
export async function findRefused(error: unknown, part: Flags, project_id: string): Promise<Refused | null> {
  if (!(error instanceof ApiError) || error.status !== 422) return null
  const { violations } = error.body
  if (!Array.isArray(violations))
    return { reasons: flagProblems(error.details, part) ?? new Map(), violations: [] }
  const invariants = await call('listInvariants', { params: { project_id } })
  return {
    reasons: violatingFlags(violations, invariants, part) ?? new Map(),
    violations: violations.filter(isObject).map(({ key, why }) => `“${key}”: ${why}`),
  }
}

/**
 * Returns the reason for each flag that a refusal names. Null where it names something else: a flag without
 * its segment would be another flag.
 */
export function flagProblems(
  details: readonly ErrorDetail[],
  { flags }: Pick<ImportPart, 'flags'>,
): Map<string, string> | null {
  const reasons = new Map<string, string>()
  for (const { message, path } of details) {
    const [start, position] = /^\/flags\/(\d+)/.exec(path) ?? []
    const key = flags[Number(position)]?.key
    if (start === undefined || key === undefined) return null
    if (!reasons.has(key)) reasons.set(key, describeDetail({ message, path: path.slice(start.length) }))
  }
  return reasons.size === 0 ? null : reasons
}

/** Returns the flags of the violated invariants. Null where one is about a flag that is not imported. */
export function violatingFlags(
  violations: readonly unknown[],
  invariants: readonly Pick<Invariant, 'key' | 'flag'>[],
  { flags }: Flags,
): Reasons | null {
  const imported = new Set(flags.map(({ key }) => key))
  const reasons = new Map<string, string>()
  for (const violation of violations.filter(isObject)) {
    const flag = invariants.find(({ key }) => key === violation.key)?.flag
    if (flag === undefined || !imported.has(flag)) return null
    reasons.set(flag, `It violates the invariant “${violation.key}”: ${violation.why}`)
  }
  return reasons.size === 0 ? null : reasons
}
