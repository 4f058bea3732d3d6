import type { StaleFlag } from '@burgee/contract'
import type { Clock } from '../../platform/clock.ts'

/** The assessed flags of a project, with the evidence of all environments. */
export interface StaleReport {
  readonly computed_at: string
  readonly flags: readonly StaleFlag[]
  /** False where some flags wait for an exploration: the next report goes on with them. */
  readonly isWhole: boolean
}

interface StaleRequest {
  readonly project_id: string
  readonly days: number
  /** The identity of the caller, for the turns of analyses. */
  readonly caller: string
  /** The greatest age in milliseconds. */
  readonly maxAgeMs: number
}

/** Keeps the last report of each project and number of days. */
export interface StaleReports {
  get(request: StaleRequest): Promise<StaleReport>
}

type Wanted = Omit<StaleRequest, 'maxAgeMs'>

interface ReportsDeps {
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Returns a text that changes with flags, environments and dependants of the project. */
  readonly fingerprint: (project_id: string) => Promise<string>
  readonly compute: (wanted: Wanted, fingerprint: string) => Promise<StaleReport>
  readonly onError: (error: unknown) => void
}

interface Kept {
  readonly report: StaleReport
  readonly fingerprint: string
  readonly computedAtMs: number
  readonly tookMs: number
  readonly weight: number
}

interface Running {
  readonly fingerprint: string
  readonly kept: Promise<Kept>
}

/** The life of a report, in times of what it took: all of them take at most one percent of the time. */
const LIFE_FACTOR = 100
/** Requests wait for reports that take less, instead of getting the last one meanwhile. */
const QUICK_MS = 100
/** The pieces of evidence of all kept reports together: some 60 MB. */
const WEIGHT_MAX = 200_000

/**
 * Creates the reports of an instance. A report of other flags or dependants than those of now is never
 * returned. One whose evaluations are old is returned while the next one is computed.
 */
export function createStaleReports(
  { clock, compute, fingerprint, onError }: ReportsDeps,
  { weightMax = WEIGHT_MAX }: { readonly weightMax?: number } = {},
): StaleReports {
  /** The reports by project and days, the one that was used last at the end. */
  const kept = new Map<string, Kept>()
  const running = new Map<string, Running>()

  function start(name: string, wanted: Wanted, current: string): Promise<Kept> {
    const known = running.get(name)
    if (known?.fingerprint === current) return known.kept
    const startMs = clock.monotonicMs()
    const own: Running = {
      fingerprint: current,
      kept: compute(wanted, current)
        .then((report) => {
          const endMs = clock.monotonicMs()
          const made = {
            ...{ report, fingerprint: current, computedAtMs: startMs, tookMs: endMs - startMs },
            weight: weightOf(report),
          }
          keep(name, made)
          return made
        })
        .finally(() => {
          if (running.get(name) === own) running.delete(name)
        }),
    }
    running.set(name, own)
    return own.kept
  }

  function keep(name: string, made: Kept): void {
    const before = kept.get(name)
    if (before && before.computedAtMs > made.computedAtMs) return
    kept.delete(name)
    if (made.weight > weightMax) return
    kept.set(name, made)
    let weight = [...kept.values()].reduce((sum, one) => sum + one.weight, 0)
    for (const [other, one] of kept) {
      if (weight <= weightMax) return
      weight -= one.weight
      kept.delete(other)
    }
  }

  return {
    async get({ maxAgeMs, ...wanted }) {
      const name = `${wanted.project_id} ${wanted.days}`
      const current = await fingerprint(wanted.project_id)
      const last = kept.get(name)
      const ageMs = last ? clock.monotonicMs() - last.computedAtMs : Number.POSITIVE_INFINITY
      if (!last || last.fingerprint !== current || ageMs >= maxAgeMs)
        return (await start(name, wanted, current)).report
      kept.delete(name)
      kept.set(name, last)
      if (last.report.isWhole && ageMs < LIFE_FACTOR * last.tookMs) return last.report
      const next = start(name, wanted, current)
      if (last.tookMs < QUICK_MS) return (await next).report
      next.catch(onError)
      return last.report
    },
  }
}

/** Returns the number of things that a report holds. */
const weightOf = ({ flags }: StaleReport): number =>
  flags.reduce((sum, { dependants, evidence }) => sum + 1 + evidence.length + dependants.length, 0)
