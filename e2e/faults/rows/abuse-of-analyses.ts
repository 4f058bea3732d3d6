import { callApi } from '../../harness/call-api.ts'
import { countOf } from '../count-of.ts'
import { attackDoors, type Door } from '../credentials/attack-doors.ts'
import { createSender, loopbackAddress, type SentRequest } from '../credentials/send-from.ts'
import type { Fault, FaultScale } from '../fault.ts'
import { openPlace, type Place } from '../shared-server.ts'

const ROUNDS = { short: 1, full: 1 }
const AT_ONCE = { short: 2, full: 40 }
/** The addresses that send what takes seconds each. */
const FEW = { short: 1, full: 3 }
const USERS = { short: 10, full: 10_000 }
const DEMANDS = { short: 6, full: 100 }
/** Flags that each require the one before, with many rules on attributes that users may lack. */
const CHAIN = 12
const RULES = 30
const LARGE_VALUES = 12

export const fault: Fault = {
  group: 'reads',
  title:
    'A leaked server key asks, up to 40 requests at the same time, for the impact of 50 changes on 10,000 users, of flags with large values, long chains of prerequisites and many rules; for changes within `max_changed_users`; for checks of hostile invariants, and writes beside them; for replays, past moments and incidents of long windows',
  promise:
    'Each is answered or refused with 4xx or 503. Flags of another environment are written and read within 3 s meanwhile, and its impacts take at most 10 s. No connection is left afterwards, and memory grows by at most 150 MB after the first round.',
  async run(_stage, scale) {
    const place = await openPlace()
    const victim = await openPlace()
    const from = new Date().toISOString()
    await writeFlags(place)
    const senders = Array.from({ length: AT_ONCE[scale] }, (_, at) =>
      createSender(place.url, loopbackAddress(at)),
    )
    const leave = () => {
      for (const { close } of senders) close()
    }
    const flood: Flood = (requestOf, addresses = senders.length) =>
      Promise.all(
        senders.slice(0, addresses).map(({ send }, at) => send({ headers: place.headers, ...requestOf(at) })),
      )
    let slowestMs = 0
    const refused: number[] = []
    /** Floods, and meanwhile requests an impact in another environment. */
    const floodBesideOther: Flood = async (requestOf, addresses) => {
      const flooding = flood(requestOf, addresses)
      const started = performance.now()
      const [sender] = senders
      const body = { changes: [{ flag_key: 'honest', operation: 'patch', patch: { is_enabled: false } }] }
      const path = `/api/environments/${victim.environmentId}/impact`
      const status = (await sender?.send({ method: 'POST', path, headers: victim.headers, body })) ?? 0
      slowestMs = Math.max(slowestMs, Math.round(performance.now() - started))
      if (status !== 200 && status !== 404) refused.push(status)
      return flooding
    }
    const doors = openDoors(place, floodBesideOther, { from, users: usersOf(USERS[scale]), scale })
    try {
      const { broken, seen, times } = await attackDoors(victim, {
        doors,
        rounds: countOf(scale, ROUNDS),
        scale,
        leave,
      })
      if (refused.length > 0)
        broken.push(`the impact of another environment returned ${[...new Set(refused)].join(', ')}`)
      if (scale === 'full' && slowestMs > OTHER_MAX_MS)
        broken.push(`the impact of another environment took ${slowestMs} ms`)
      return { times, broken, seen: `${seen}; impacts of another environment within ${slowestMs} ms` }
    } finally {
      leave()
    }
  },
}
const OTHER_MAX_MS = 10_000
const SENDERS_MAX = 40

type Flood = (requestOf: (index: number) => SentRequest, addresses?: number) => Promise<readonly number[]>

const usersOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    user_key: `user-${at}`,
    // Every second one has unknown attributes, which takes an exploration.
    ...(at % 2 === 0 && { attributes: { plan: `plan-${at % 90}`, country: 'CH', age: at } }),
  }))

const rulesOf = (seed: number) =>
  Array.from({ length: RULES }, (_, at) => ({
    attribute: `attribute-${(seed + at) % 25}`,
    operator: 'contains',
    values: [`${'a'.repeat(50)}${at}`],
    rollout_percentage: at,
  }))

async function writeFlags({ environmentId, headers, url }: Place): Promise<void> {
  const chain = Array.from({ length: CHAIN }, (_, at) => ({
    key: `chain-${at}`,
    is_enabled: true,
    rollout_percentage: 50,
    rules: rulesOf(at),
    ...(at > 0 && { prerequisites: [{ flag_key: `chain-${at - 1}` }] }),
  }))
  const variants = Array.from({ length: LARGE_VALUES }, (_, at) => ({
    value: `${at}-${'v'.repeat(60_000)}`,
    weight: 1,
  }))
  const large = { key: 'large', flag_type: 'string', default_value: 'x', is_enabled: true, variants }
  for (const flag of [...chain, large]) {
    const { body, status } = await callApi(
      url,
      'POST',
      `/api/environments/${environmentId}/flags`,
      flag,
      headers,
    )
    if (status !== 200) throw new Error(`${flag.key} returned ${status}: ${JSON.stringify(body)}`)
  }
}

interface Given {
  readonly from: string
  readonly users: readonly object[]
  readonly scale: FaultScale
}

function openDoors(place: Place, flood: Flood, { from, scale, users }: Given): readonly Door[] {
  const at = `/api/environments/${place.environmentId}`
  const project = `/api/projects/${place.projectId}`
  /** A body that all requests share is encoded once. */
  const post = (path: string, body: object, addresses = FEW[scale]) => {
    const text = JSON.stringify(body)
    return () => flood(() => ({ method: 'POST', path, body: text }), addresses)
  }
  const change = (flag_key: string, patch: object) => ({ flag_key, operation: 'patch', patch })
  const many = Array.from({ length: 50 }, (_, nth) =>
    change(`chain-${nth % CHAIN}`, { rollout_percentage: nth }),
  )
  const condition = (nth: number) => ({
    attribute: `attribute-${nth}`,
    operator: 'not_contains',
    values: ['a', 'b', 'c'],
  })
  const when = Array.from({ length: 20 }, (_, nth) => condition(nth))
  const demand = (key: string, more: object) => ({ key, flag: `chain-${CHAIN - 1}`, when, ...more })
  const demands = Array.from({ length: DEMANDS[scale] }, (_, nth) =>
    demand(`hostile-${nth}`, nth % 2 ? { never: [true] } : { at_most: { percent: 1, value: true } }),
  )
  return [
    post(`${at}/impact`, { changes: many, users, examples: 100 }),
    post(`${at}/impact`, { changes: [change('large', { rollout_salt: 'other' })], users, examples: 100 }),
    post(
      `${at}/impact`,
      { changes: [change('chain-0', { rules: rulesOf(7) })], users: users.slice(0, 6) },
      SENDERS_MAX,
    ),
    post(`${at}/impact`, { changes: [change('chain-0', { description: 'x'.repeat(7 * 1024 * 1024) })] }),
    () =>
      flood((index) => ({
        method: 'PATCH',
        path: `${at}/flags/chain-0?max_changed_users=${index % 2 === 0 ? 0 : 1_000_000}`,
        body: { rollout_percentage: index },
      })),
    post(`${project}/invariants/check`, { environment_id: place.environmentId, invariants: demands }),
    post(`${project}/invariants/check`, {
      environment_id: place.environmentId,
      invariants: demands,
      changes: many,
    }),
    () => writeBesideInvariants(place, flood, demands),
    post(`${at}/evaluate/history`, { from, user_key: 'ann' }),
    post(`${at}/evaluate/history`, { from: '0001-01-01T00:00:00Z', user_key: 'x'.repeat(900_000) }),
    post(`${at}/evaluate`, { at: from, user_key: 'ann', trace: true }),
    post(`${at}/evaluate`, { revision: CHAIN, user_key: 'ann', trace: true }),
    () =>
      flood((index) => ({
        method: 'GET',
        path: `${index % 2 === 0 ? project : '/api'}/incident?impact=true&from=0001-01-01T00:00:00Z&to=9999-12-31T00:00:00Z`,
        headers: place.admin,
      })),
  ]
}

/** Stores hostile invariants, writes the flag behind them, and deletes the invariants. */
async function writeBesideInvariants(place: Place, flood: Flood, demands: readonly object[]) {
  const path = `/api/projects/${place.projectId}/invariants`
  const headers = place.admin
  const keys = demands.slice(0, 8).map((_, nth) => `hostile-${nth}`)
  const statuses: number[] = []
  const { send } = createSender(place.url, loopbackAddress(0))
  for (const body of demands.slice(0, keys.length))
    statuses.push(await send({ method: 'POST', path, headers, body: { ...body, enforcement: 'warn' } }))
  const patch = `/api/environments/${place.environmentId}/flags/chain-0`
  statuses.push(
    ...(await flood((index) => ({ method: 'PATCH', path: patch, body: { rollout_percentage: index } }))),
  )
  for (const key of keys) statuses.push(await send({ method: 'DELETE', path: `${path}/${key}`, headers }))
  return statuses
}
