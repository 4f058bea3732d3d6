import { IMPRESSION_LIMIT_MAX } from '@burgee/contract'
import { call } from '../../../shared/api/call.ts'
import { continueLog, type LiveLog, skipAhead, startLog } from './live-log.ts'

/** Exact matches; an empty one lets everything through. */
export type StreamFilter = {
  readonly flag_key: string
  readonly user_id: string
  readonly value: string
}

/**
 * The log as it is now. Without a log it is read from the start; otherwise only the newer impressions are
 * read.
 */
export async function readLog(
  env_id: string,
  filter: StreamFilter,
  log: LiveLog | null,
  signal: AbortSignal,
): Promise<LiveLog> {
  const read = (since?: { readonly since_id: number }) =>
    call(
      'listImpressions',
      { params: { env_id }, query: { ...filter, ...since, limit: IMPRESSION_LIMIT_MAX } },
      { signal },
    )
  if (log === null) return startLog(await read())
  const page = await read({ since_id: log.last_id })
  if (page.items.length < IMPRESSION_LIMIT_MAX) return continueLog(log, page)
  return skipAhead(log, await read())
}
