import { deepEqual } from '@burgee/evaluation'
import type { PrerequisiteTrace, Trace } from '@burgee/evaluation/explain'
import { formatValue } from './format-value.ts'

/** Describes a prerequisite that failed, with the reason. */
export function describeFailed(prerequisite: PrerequisiteTrace): string {
  return `Prerequisite ${prerequisite.flag_key} ${findComplaint(prerequisite)}.`
}

function findComplaint(prerequisite: PrerequisiteTrace): string {
  const { enabled, reason, required_value, value } = prerequisite
  if (reason === 'FLAG_NOT_FOUND') return 'does not exist or is archived'
  if (reason === 'ERROR') return 'is malformed'
  if (reason === undefined || isTooDeep(prerequisite)) return 'is in a chain of more than ten levels'
  if (reason === 'PREREQUISITE_FAILED') return 'fails because of its own prerequisites'
  if (!enabled) return reason === 'DISABLED' ? 'is off' : 'is off for this user'
  if (required_value === null || deepEqual(value ?? null, required_value)) return 'does not hold'
  return `gives ${formatValue(value ?? null)} and has to give ${formatValue(required_value)}`
}

/** A flag behind the last level is not evaluated. In a circle the cause is the circle, not the level. */
function isTooDeep(prerequisite: PrerequisiteTrace): boolean {
  const failures = [prerequisite, ...(prerequisite.trace ? listFailures(prerequisite.trace) : [])]
  const keys = new Set(failures.map(({ flag_key }) => flag_key))
  return failures.at(-1)?.reason === undefined && keys.size === failures.length
}

/**
 * Returns the flags from the prerequisite that failed down to the flag that is the cause. The list ends where
 * it leads back to itself.
 */
export function followFailure(trace: Trace): string[] {
  const chain: string[] = []
  for (const { flag_key } of listFailures(trace)) {
    const isCircle = chain.includes(flag_key)
    chain.push(flag_key)
    if (isCircle) break
  }
  return chain
}

/** The failed prerequisite of a flag, that of this one, and so on. */
function listFailures(trace: Trace): PrerequisiteTrace[] {
  const failed = trace.prerequisites.find(({ state }) => state === 'failed')
  if (!failed) return []
  return [failed, ...(failed.trace ? listFailures(failed.trace) : [])]
}
