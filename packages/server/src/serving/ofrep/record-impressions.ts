import type { SdkKeyActor } from '../../kernel/actor.ts'
import { isClientKey } from '../../kernel/actor.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { type ImpressionBatch, toImpressionBatch } from '../../reporting/impressions/index.ts'
import type { ReportBudget } from '../../reporting/ingest/report-budget.ts'

/** Records single evaluations as impressions of their environment, some of them at a time. */
export interface ImpressionRecorder {
  record(actor: SdkKeyActor, impression: SingleImpression): void
  /** Stores what is pending. */
  close(): Promise<void>
}

interface SingleImpression {
  readonly flag_key: string
  readonly user_id: string | null
  readonly value: string
}

interface RecorderDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly metrics: Metrics
  readonly budget: ReportBudget
  readonly ingest: (environment_id: string, batch: ImpressionBatch) => Promise<void>
}

interface Line {
  readonly environment_id: string
  readonly isFromClient: boolean
  pending: (SingleImpression & { readonly evaluated_at: string })[]
  isStoring: boolean
}

/** The time for which impressions are gathered. */
const GATHER_MS = 1_000
/** The impressions that one transaction stores, and those that may be pending on this instance. */
const BATCH_MAX = 2_000
const PENDING_MAX = 20_000
/** The characters of a value and a user key that are kept in memory, at most those that are stored. */
const VALUE_MAX_LENGTH = 8_192
const USER_ID_MAX_LENGTH = 2_048
/** The bytes of pending texts. */
const PENDING_MAX_CHARS = 16 * 1024 * 1024

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createImpressionRecorder(deps: RecorderDeps): ImpressionRecorder {
  const { budget, clock, ingest, log } = deps
  const lines = new Map<string, Line>()
  const running = new Set<Promise<void>>()
  let pending = 0
  let characters = 0
  let timer: NodeJS.Timeout | null = null
  let time = { ms: 0, text: '' }
  const onDropped = deps.metrics.counter({
    name: 'ofrep_impressions_dropped_total',
    help: 'Evaluations with OFREP that were not recorded: too many were pending, a client key had used its minute, or the database failed.',
    labels: ['reason'],
    from: [{ reason: 'full' }, { reason: 'failed' }],
  })

  /** Formatting a time takes longer than an evaluation, and most are in the same millisecond. */
  function timeText(): string {
    const now = clock.now()
    if (now.getTime() !== time.ms) time = { ms: now.getTime(), text: now.toISOString() }
    return time.text
  }

  function isWithinBudget(actor: SdkKeyActor): boolean {
    try {
      budget.spend(actor, 1)
      return true
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  }

  async function store(line: Line): Promise<void> {
    line.isStoring = true
    while (line.pending.length > 0) {
      const impressions = line.pending.splice(0, BATCH_MAX)
      pending -= impressions.length
      for (const one of impressions) characters -= sizeOf(one)
      try {
        await ingest(line.environment_id, await toBatch(line, impressions))
      } catch (err) {
        onDropped({ reason: 'failed' }, impressions.length)
        log.warn({ err, environment_id: line.environment_id }, 'impressions of OFREP could not be stored')
      }
    }
    line.isStoring = false
  }

  async function toBatch(line: Line, impressions: Line['pending']): Promise<ImpressionBatch> {
    const arrival = {
      receivedAt: clock.now().getTime(),
      isFromClient: line.isFromClient,
      contentLength: undefined,
      name: undefined,
    }
    const steps = toImpressionBatch(impressions, arrival)
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
    }
  }

  function storeAll(): void {
    timer = null
    for (const [name, line] of lines) {
      if (line.pending.length === 0 && !line.isStoring) lines.delete(name)
      if (line.isStoring || line.pending.length === 0) continue
      const stored = store(line).finally(() => running.delete(stored))
      running.add(stored)
    }
    if (lines.size > 0) timer = setTimeout(storeAll, GATHER_MS)
  }

  return {
    record(actor, { flag_key, user_id, value }) {
      const one = {
        flag_key,
        user_id: user_id === null ? null : user_id.slice(0, USER_ID_MAX_LENGTH),
        value: value.slice(0, 2 * VALUE_MAX_LENGTH),
        evaluated_at: timeText(),
      }
      const isFull = pending >= PENDING_MAX || characters + sizeOf(one) > PENDING_MAX_CHARS
      if (isFull || !isWithinBudget(actor)) {
        onDropped({ reason: 'full' }, 1)
        return
      }
      const isFromClient = isClientKey(actor)
      const { environment_id } = actor
      const name = `${environment_id} ${isFromClient}`
      const line = lines.get(name) ?? { environment_id, isFromClient, pending: [], isStoring: false }
      lines.set(name, line)
      line.pending.push(one)
      pending += 1
      characters += sizeOf(one)
      timer ??= setTimeout(storeAll, GATHER_MS)
    },
    async close() {
      if (timer) clearTimeout(timer)
      storeAll()
      if (timer) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}

const sizeOf = ({ flag_key, user_id, value }: SingleImpression): number =>
  flag_key.length + (user_id?.length ?? 0) + value.length

/** Records nothing, for the setting `off`. */
export const NO_IMPRESSIONS: ImpressionRecorder = {
  record: () => undefined,
  close: () => Promise.resolve(),
}
