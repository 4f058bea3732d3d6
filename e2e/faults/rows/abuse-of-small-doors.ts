import { bearer, callApi } from '../../harness/call-api.ts'
import { PATIENCE_MS } from '../../harness/within.ts'
import { assessGaps, measureGaps } from '../assess/measure-gaps.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { openPlace, type Place } from '../shared-server.ts'

const ROUNDS = { short: 1, full: 50 }
const UNKNOWN_FLAGS_MAX = 1_000
const KEYS_A_REPORT = 100
const REPORTS_A_ROUND = 20
const LONG = 'x'.repeat(1024 * 1024 - 1_000)
const MANY_RULES = Array.from({ length: 30_000 }, () => ({ segment_key: 'loop' }))

/** Ids and keys that are none, as they stand in a path. */
const ODD_IDS = ['0', '-1', '1e9', '%00', '..%2f..', '%F0%9F%98%80', 'x'.repeat(2_000)]
const SINGLE_GETS = ['flags', 'segments', 'change-requests', 'webhooks', 'integrations', 'experiments']

export const fault: Fault = {
  group: 'bodies',
  title:
    'Comments of 1 MiB, previews of segments with 30,000 rules, reads of single things by invalid ids, abandoned downloads of the SDK, and reports of invented unknown flags with a client key',
  promise:
    'Each is answered or refused with 4xx. An environment lists at most 1,000 unknown flags. Flags can be changed meanwhile, and other requests are answered.',
  async run(_stage, scale) {
    const place = await openPlace()
    const clientKey = await place.createKey('client')
    const broken: string[] = []
    const doors = openDoors(place, clientKey, broken)
    const pieces = Array.from({ length: countOf(scale, ROUNDS) }, (_, round) =>
      doors.map((door) => () => door(round)),
    ).flat()
    const gaps = assessGaps(await measureGaps(place, pieces), scale)
    const path = `/api/environments/${place.environmentId}/unknown-flags`
    const { body } = await callApi(place.url, 'GET', path, undefined, place.headers)
    if (body.length > UNKNOWN_FLAGS_MAX) broken.push(`${body.length} unknown flags are listed.`)
    return {
      times: `${pieces.length} rounds of abuse`,
      seen: `all answered; ${body.length} unknown flags listed; ${gaps.seen}`,
      broken: [...broken, ...gaps.broken],
    }
  },
}

/** The doors, each with its abuse. The number of the round makes its keys new ones. */
function openDoors(
  { environmentId, headers, url }: Place,
  clientKey: string,
  broken: string[],
): readonly ((round: number) => Promise<void>)[] {
  const at = `/api/environments/${environmentId}`
  const send = async (method: string, path: string, body: unknown, statuses: readonly number[]) => {
    const { status } = await callApi(
      url,
      method,
      path,
      body,
      path === '/sdk/ack' ? bearer(clientKey) : headers,
    )
    if (!statuses.includes(status)) broken.push(`${method} ${path.slice(0, 80)} returned ${status}.`)
  }
  return [
    () => send('POST', `${at}/flags`, { key: 'small', is_enabled: true, comment: LONG }, [422]),
    () =>
      send(
        'POST',
        `${at}/segments/preview`,
        { key: 'loop', patch: { name: 'L', rules: MANY_RULES } },
        [200, 413, 422],
      ),
    async () => {
      for (const things of SINGLE_GETS)
        for (const id of ODD_IDS) await send('GET', `${at}/${things}/${id}`, undefined, [400, 404, 414, 431])
    },
    () => abandonDownloads(url),
    async (round) => {
      const reports = Array.from({ length: REPORTS_A_ROUND }, (_, nth) => ({
        unknown: Array.from({ length: KEYS_A_REPORT }, (_, key) => [`invented-${round}-${nth}-${key}`, 1]),
      }))
      const writes = [1, 2, 3].map((nth) =>
        send('POST', `${at}/flags`, { key: 'small', is_enabled: nth % 2 === 0 }, [200]),
      )
      await Promise.all([
        ...reports.map((body) => send('POST', '/sdk/ack', body, [204, 429, 503])),
        ...writes,
      ])
      await send('POST', '/sdk/ack', { unknown: [[LONG, 1]] }, [413])
    },
  ]
}

/** Begins downloads of the SDK and ends them after their heads. */
async function abandonDownloads(url: string): Promise<void> {
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const response = await fetch(`${url}/burgee-sdk.tgz`, { signal: AbortSignal.timeout(PATIENCE_MS) })
      await response.body?.cancel()
    }),
  )
}
