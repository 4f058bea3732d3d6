import { randomBytes } from 'node:crypto'
import { callApi, patchFlag, putFlag } from '../../harness/call-api.ts'
import { withDatabase } from '../../harness/with-database.ts'
import { inThousands } from '../assess/percentile.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { openPlace, type Place } from '../shared-server.ts'

const PATCHES = { short: 5, full: 100 }
/** The smallest quota, which a small machine fills quickly. */
const QUOTA_MB = { short: 6, full: 64 }
const VALUE_CHARACTERS = 1_000_000
const BYTES_PER_PATCH_MAX = 200_000
const FIGURES = /would store [\d,]+ MB; its quota is [\d,]+ MB/

export const fault: Fault = {
  group: 'bodies',
  title:
    'Patches of a flag of 1 MB, and then new values of 1 MB until the quota of the environment is reached',
  promise:
    'A patch stores at most 200 KB. Writes above the quota are refused with 422 and the figures. Flags can still be turned off and deleted.',
  async run(_stage, scale) {
    const place = await openPlace({ ENVIRONMENT_QUOTA_MB: String(QUOTA_MB[scale]) })
    const { environmentId, headers, url } = place
    const patches = countOf(scale, PATCHES)
    const broken: string[] = []
    await putLarge(place, 'large')
    const before = await databaseBytes(place)
    for (let patch = 0; patch < patches; patch += 1)
      await patchFlag(url, environmentId, 'large', { rollout_percentage: patch % 100 }, headers)
    const bytes = Math.round(((await databaseBytes(place)) - before) / patches)
    if (bytes > BYTES_PER_PATCH_MAX) broken.push(`A patch stored ${inThousands(bytes)} bytes.`)

    const { refusal, values } = await fill(place, 4 * QUOTA_MB[scale])
    if (refusal === null) broken.push('No write was refused.')
    else if (!FIGURES.test(refusal)) broken.push(`A write was refused without the figures: ${refusal}`)
    const flag = `/api/environments/${environmentId}/flags/large`
    const off = await callApi(url, 'PATCH', flag, { is_enabled: false }, headers)
    if (off.status !== 200) broken.push(`Turning the flag off returned ${off.status}.`)
    const gone = await callApi(url, 'DELETE', flag, undefined, headers)
    if (gone.status !== 200 && gone.status !== 204) broken.push(`Deleting returned ${gone.status}.`)
    return {
      times: `${patches} patches, ${values} values`,
      seen:
        `${inThousands(Math.round(bytes / 1_000))} KB a patch; 422 with the figures after ${values} values under a quota of ` +
        `${QUOTA_MB[scale]} MB, and the flag was switched off and deleted`,
      broken,
    }
  },
}

const putLarge = ({ environmentId, headers, url }: Place, key: string) => {
  const defaultValue = randomBytes(VALUE_CHARACTERS / 2).toString('hex')
  return putFlag(url, environmentId, { key, flag_type: 'string', default_value: defaultValue }, headers)
}

/**
 * Writes new flags of 1 MB until one is refused. Returns how many were stored, and the message of the
 * refusal.
 */
async function fill(place: Place, atMost: number) {
  const { environmentId, headers, url } = place
  for (let values = 0; values < atMost; values += 1) {
    const flag = {
      key: `more-${values}`,
      flag_type: 'string',
      default_value: randomBytes(VALUE_CHARACTERS / 2).toString('hex'),
      is_enabled: true,
    }
    const path = `/api/environments/${environmentId}/flags`
    const { body, status } = await callApi(url, 'POST', path, flag, headers)
    if (status === 422) return { values, refusal: JSON.stringify(body) }
    if (status !== 200) return { values, refusal: `status ${status}` }
  }
  return { values: atMost, refusal: null }
}

/** Returns the bytes of all tables of the server. */
async function databaseBytes({ databaseUrl }: Place): Promise<number> {
  return withDatabase(databaseUrl, async (pool) => {
    const { rows } = await pool.query('select pg_database_size(current_database()) as bytes')
    return Number(rows[0].bytes)
  })
}
