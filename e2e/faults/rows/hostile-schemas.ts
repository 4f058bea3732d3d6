import { createRandom, seedOf } from '../../../packages/server/test/fuzz/random.ts'
import type { HostileRequest } from '../../hostile/hostile-input.ts'
import { schemas } from '../../hostile/inputs/schemas.ts'
import { countOf } from '../count-of.ts'
import { attackDoors, type Door } from '../credentials/attack-doors.ts'
import { createSender, loopbackAddress } from '../credentials/send-from.ts'
import type { Fault } from '../fault.ts'
import { openPlace, type Place } from '../shared-server.ts'

const SEED = Number(process.env.BURGEE_FUZZ_SEED ?? 33)
const SEQUENCES = { short: 3, full: 60 }
/** The requests of one round that are sent at the same time. */
const AT_ONCE = { short: 2, full: 8 }

export const fault: Fault = {
  group: 'bodies',
  title:
    'Values and schemas whose check multiplies: equal items, names and large constants in hundreds of branches, references that double, and generated ones; as flags, previews, applies, impacts and checks of invariants, also of flags that carry such a schema already',
  promise:
    'Each is answered, or refused with 422. Flags of another environment are written and read within 3 s meanwhile.',
  async run(_stage, scale) {
    const place = await openPlace()
    const victim = await openPlace()
    const senders = Array.from({ length: AT_ONCE[scale] }, (_, at) =>
      createSender(place.url, loopbackAddress(at)),
    )
    const leave = () => {
      for (const { close } of senders) close()
    }
    const doorOf =
      (requests: readonly HostileRequest[]): Door =>
      async () => {
        const statuses: number[] = []
        for (const request of requests) {
          const sent = toSent(place, request)
          statuses.push(...(await Promise.all(senders.map(({ send }) => send(sent)))))
        }
        return statuses
      }
    const generated = Array.from({ length: countOf(scale, SEQUENCES) }, (_, nth) =>
      schemas.create(createRandom(seedOf(SEED, nth))),
    )
    try {
      const doors = [...KNOWN.map(everywhere), ...generated].map(doorOf)
      return await attackDoors(victim, { doors, rounds: 1, scale, leave })
    } finally {
      leave()
    }
  },
}

function toSent(place: Place, { as, body, method, path }: HostileRequest) {
  const fill = (text: string) =>
    text.replaceAll(':env_id', place.environmentId).replaceAll(':project_id', place.projectId)
  return {
    method,
    path: fill(path),
    headers: as === 'admin' ? place.admin : place.headers,
    ...(body !== undefined && { body: fill(JSON.stringify(body)) }),
  }
}

const numbers = Array.from({ length: 90_000 }, (_, at) => at)
const fields = Object.fromEntries(numbers.slice(0, 30_000).map((at) => [`k${at}`, at]))
const branches = (count: number, branch: object) => Array.from({ length: count }, () => branch)

/** Contents that once took seconds to minutes. */
const KNOWN: readonly object[] = [
  { value_schema: { anyOf: branches(1_000, { uniqueItems: true, maxItems: 1 }) }, default_value: numbers },
  {
    value_schema: { allOf: branches(400, { minProperties: 1, maxProperties: 100_000 }) },
    default_value: fields,
  },
]

function everywhere(content: object): readonly HostileRequest[] {
  const environment = '/api/environments/:env_id'
  const flag = { key: 'known', flag_type: 'json', is_enabled: true, ...content }
  const change = { flag_key: 'known', operation: 'patch', patch: content }
  const bare = { ...flag, default_value: null }
  return [
    { as: 'server', method: 'POST', path: `${environment}/flags`, body: bare },
    { as: 'server', method: 'POST', path: `${environment}/flags`, body: flag },
    { as: 'admin', method: 'POST', path: `${environment}/flags/preview`, body: flag },
    { as: 'server', method: 'POST', path: `${environment}/apply`, body: { flags: [flag], dry_run: true } },
    { as: 'server', method: 'POST', path: `${environment}/impact`, body: { changes: [change], users: [] } },
    {
      ...{ as: 'admin', method: 'POST', path: '/api/projects/:project_id/invariants/check' },
      body: {
        environment_id: ':env_id',
        invariants: [{ key: 'one', flag: 'known', never: [1] }],
        changes: [change],
      },
    },
  ]
}
