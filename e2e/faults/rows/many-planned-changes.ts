import { callApi } from '../../harness/call-api.ts'
import { countOf } from '../count-of.ts'
import { attackDoors } from '../credentials/attack-doors.ts'
import type { Fault } from '../fault.ts'
import { openPlace, type Place } from '../shared-server.ts'

const ROUNDS = { short: 1, full: 10 }
const PLANNED = { short: 120, full: 1_500 }
/** The requests that one call makes of planned changes. */
const REQUESTED_MAX = 100
const LARGE_VALUE = 'x'.repeat(20_000)

export const fault: Fault = {
  group: 'bodies',
  title:
    'Approval switched on with `planned_changes: "request"`, four times at the same time, over 1,500 scheduled changes with values of 20 KB',
  promise:
    'Each call makes at most 100 change requests, and the rest stays scheduled. Flags of another environment are written and read within 3 s meanwhile. No connection is left afterwards, and memory grows by at most 150 MB after the first round.',
  async run(_stage, scale) {
    const [attacked, honest] = [await openPlace(), await openPlace()]
    await planMany(attacked, PLANNED[scale])
    const broken: string[] = []
    let requested = 0
    const require = async () => {
      const path = `/api/projects/${attacked.projectId}/environments/${attacked.environmentId}/require-approval`
      const body = { require_approval: true, approval_scope: 'all', planned_changes: 'request' }
      const { body: answer, status } = await callApi(attacked.url, 'POST', path, body, attacked.admin)
      const made: readonly number[] = answer.planned?.requested ?? []
      requested += made.length
      if (made.length > REQUESTED_MAX) broken.push(`a call made ${made.length} change requests`)
      return status
    }
    const doors = [() => Promise.all([require(), require(), require(), require()])]
    const rounds = countOf(scale, ROUNDS)
    const result = await attackDoors(honest, { doors, rounds, scale })
    const wanted = Math.min(PLANNED[scale], 4 * (rounds + (scale === 'full' ? 1 : 0)) * REQUESTED_MAX)
    if (requested !== wanted) broken.push(`${requested} requests were made of ${wanted}`)
    return {
      times: `${PLANNED[scale]} scheduled changes, ${result.times}`,
      seen: `${requested} change requests made; ${result.seen}`,
      broken: [...broken, ...result.broken],
    }
  },
}

/** Schedules changes of ten flags, a few at the same time. */
async function planMany({ environmentId, headers, url }: Place, count: number): Promise<void> {
  const flags = `/api/environments/${environmentId}/flags`
  const send = async (path: string, body: object) => {
    const { status } = await callApi(url, 'POST', path, body, headers)
    if (status !== 200) throw new Error(`POST ${path} returned ${status}`)
  }
  const keys = Array.from({ length: 10 }, (_, index) => `planned-${index}`)
  for (const key of keys)
    await send(flags, { key, is_enabled: true, flag_type: 'string', default_value: 'a' })
  for (let made = 0; made < count; made += keys.length) {
    const body = { scheduled_at: '2199-01-01T00:00:00Z', patch: { default_value: `${made} ${LARGE_VALUE}` } }
    await Promise.all(keys.map((key) => send(`${flags}/${key}/scheduled-changes`, body)))
  }
}
