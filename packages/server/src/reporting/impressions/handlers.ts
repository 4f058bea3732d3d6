import {
  EXPOSURE_DAYS_DEFAULT,
  EXPOSURE_DAYS_MAX,
  IMPRESSION_LIMIT_DEFAULT,
  IMPRESSION_LIMIT_MAX,
  type impressionEndpoints,
} from '@burgee/contract'
import { dayOf, dayText } from '../../kernel/utc-day.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import type { ListDeps } from '../../platform/replies/reply-with-list.ts'
import { readArrival } from '../ingest/arrival.ts'
import type { IngestDeps } from '../ingest/report-ingest.ts'
import { prepareReports } from '../ingest/report-steps.ts'
import { toImpressionBatch } from './impression-batch.ts'
import type { createImpressionIngest } from './ingest-impressions.ts'
import { listImpressions } from './list-impressions.ts'
import { readExposure } from './read-exposure.ts'
import { replyByFlag } from './reply-by-flag.ts'
import { activityList, statsList } from './rollup-queries.ts'

export function impressionHandlers(
  deps: IngestDeps & {
    readonly ingest: ReturnType<typeof createImpressionIngest>
    readonly lists: ListDeps
    readonly retentionDays: number
  },
): EndpointHandlers<typeof impressionEndpoints> {
  const { budget, clock, db, ingest, lists, retentionDays } = deps
  const today = () => dayOf(clock.now().getTime())
  return {
    async ingestImpressions({ actor, body, headers, query, scope }) {
      budget.spend(actor, body.length)
      const arrival = readArrival(clock, { actor, headers, query })
      const batch = await prepareReports(body.length, toImpressionBatch(body, arrival))
      if (batch.rows > 0) await ingest(scope.environment.id, batch)
      return { status: 204, body: null }
    },
    async listImpressions({ query, scope }) {
      const { limit = IMPRESSION_LIMIT_DEFAULT, offset = 0, since_id, ...filter } = query
      const page = await listImpressions(
        db,
        {
          ...filter,
          environment_id: scope.environment.id,
          receivedFrom: dayText(today() - retentionDays),
        },
        {
          limit: clamp(limit, 1, IMPRESSION_LIMIT_MAX),
          offset: clamp(offset, 0, Number.MAX_SAFE_INTEGER),
          since_id: since_id === undefined ? null : clamp(since_id, 0, Number.MAX_SAFE_INTEGER),
        },
      )
      return { status: 200, body: page }
    },
    getImpressionStats: ({ query, scope }) =>
      replyByFlag(lists, query, (after) => statsList(scope.environment.id, after)),
    async getExposure({ query, scope }) {
      const { days = EXPOSURE_DAYS_DEFAULT, flag_key } = query
      const span = lastDays(today(), days)
      return {
        status: 200,
        body: await readExposure(db, { environment_id: scope.environment.id, flag_key }, span),
      }
    },
    async getImpressionActivity({ query, scope }) {
      const span = lastDays(today(), query.days ?? EXPOSURE_DAYS_DEFAULT)
      return replyByFlag(lists, query, (after) => activityList(scope.environment.id, span, after))
    },
  }
}

/** Returns the last days up to today, with a clamped number (docs/reference/reports.md#impressions). */
function lastDays(today: number, requested: number) {
  const days = clamp(requested, 1, EXPOSURE_DAYS_MAX)
  return { days, from: dayText(today - days + 1), to: dayText(today) }
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)
