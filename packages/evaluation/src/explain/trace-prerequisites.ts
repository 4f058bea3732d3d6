import { listOf } from '../assert-valid.ts'
import type { JsonValue } from '../flag.ts'
import type { Explained, Subject } from './subject.ts'
import type { PrerequisiteTrace, Trace } from './trace.ts'

/** The prerequisites that a trace lists, beside the one that failed. */
const LISTED_MAX = 100
/** The traces within a trace: prerequisites that branch would make it grow without an end. */
const TRACES_MAX = 100

/**
 * Returns the outcome of each prerequisite, and the number of traces with that of the flag.
 *
 * @param asked What was evaluated, in the order of the prerequisites.
 */
export function tracePrerequisites(
  { evaluation, flag }: Subject,
  asked: readonly Explained[],
): Pick<Trace, 'prerequisites' | 'omitted_prerequisites'> & { readonly size: number } {
  const all = listOf(flag.prerequisites)
  const hasFailed = evaluation.reason === 'PREREQUISITE_FAILED'
  // Below the last level nothing is evaluated, and the first prerequisite counts as failed.
  const failedAt = hasFailed ? Math.max(asked.length - 1, 0) : -1
  let size = 1
  const prerequisites = all.flatMap(({ flag_key, required_value }, index): PrerequisiteTrace[] => {
    if (index >= LISTED_MAX && index !== failedAt) return []
    const own = asked[index]
    const isShown = own?.trace !== undefined && size + own.size <= TRACES_MAX
    if (isShown) size += own.size
    const { enabled, reason, value } = own?.evaluation ?? {}
    return [
      {
        // Compiling has checked it.
        flag_key: flag_key as string,
        required_value: (required_value ?? null) as JsonValue,
        state: index === failedAt ? 'failed' : own ? 'met' : 'not_evaluated',
        ...(value !== undefined && { value }),
        ...(enabled !== undefined && { enabled }),
        ...(reason !== undefined && { reason }),
        ...(isShown && { trace: own.trace }),
      } as PrerequisiteTrace,
    ]
  })
  const omitted = all.length - prerequisites.length
  return { prerequisites, ...(omitted > 0 && { omitted_prerequisites: omitted }), size }
}
