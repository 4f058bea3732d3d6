import { BULK_KEYS_MAX, type BulkInput, type BulkResult, type Violation } from '@burgee/contract'
import { ApiError, messageOf } from '../../../../shared/api/api-error.ts'

/** Small enough that progress is seen and that stopping stops soon. */
const KEYS_PER_CALL = Math.min(100, BULK_KEYS_MAX)

interface Refused {
  readonly key: string
  readonly reason: string
  /** The invariants that block the change; absent for another reason. */
  readonly violations?: readonly Violation[]
}

/** The outcome for each flag of a bulk action, by key. */
export interface BulkReport {
  readonly done: readonly string[]
  /** A change request was opened instead. */
  readonly waiting: readonly string[]
  readonly refused: readonly Refused[]
  /** Not tried: it was stopped, or the server could not go on. */
  readonly untouched: readonly string[]
}

interface BulkWork {
  readonly input: BulkInput
  readonly send: (part: BulkInput) => Promise<BulkResult>
  /** After each part, with how many flags are behind us. */
  readonly onPart: (results: BulkResult['results'], finished: number) => void
  /** Stops between two parts; a part that is under way is finished. */
  readonly signal: AbortSignal
}

/** Does one action to any number of flags, part by part, and never throws: what failed is in the report. */
export async function runBulk({ input, send, onPart, signal }: BulkWork): Promise<BulkReport> {
  const report = {
    done: [] as string[],
    waiting: [] as string[],
    refused: [] as BulkReport['refused'][number][],
  }
  let finished = 0
  while (finished < input.keys.length && !signal.aborted) {
    const keys = input.keys.slice(finished, finished + KEYS_PER_CALL)
    finished += keys.length
    try {
      const { results } = await send({ ...input, keys })
      for (const { key, status, error, violations } of results) {
        if (status === 202) report.waiting.push(key)
        else if (status < 300) report.done.push(key)
        else {
          const reason = new ApiError(status, { error }).message
          report.refused.push({ key, reason, ...(violations && { violations }) })
        }
      }
      onPart(results, finished)
    } catch (error) {
      // Without a response it is unknown whether the part was done, so its flags are named with the reason.
      report.refused.push(...keys.map((key) => ({ key, reason: messageOf(error) })))
      break
    }
  }
  return { ...report, untouched: input.keys.slice(finished) }
}

/**
 * Sends the changes that invariants block once more, where a person gives a reason for overriding them.
 * Returns the outcome of both.
 */
export async function overrideBlocked(
  report: BulkReport,
  {
    ask,
    perform,
  }: {
    readonly ask: (violations: readonly Violation[]) => Promise<string | null>
    readonly perform: (keys: string[], overrideReason: string) => Promise<BulkReport>
  },
): Promise<BulkReport> {
  const blocked = report.refused.filter(({ violations = [] }) => violations.length > 0)
  const first = new Map(blocked.flatMap(({ violations = [] }) => violations.map((one) => [one.key, one])))
  const reason = await ask([...first.values()])
  if (reason === null) return report
  const again = await perform(
    blocked.map(({ key }) => key),
    reason,
  )
  return {
    done: [...report.done, ...again.done],
    waiting: [...report.waiting, ...again.waiting],
    refused: [...report.refused.filter((one) => !blocked.includes(one)), ...again.refused],
    untouched: [...report.untouched, ...again.untouched],
  }
}
