import { callApi } from '../../harness/call-api.ts'
import { countOf } from '../count-of.ts'
import { attackDoors, type Door } from '../credentials/attack-doors.ts'
import { createSender, loopbackAddress, type SentRequest } from '../credentials/send-from.ts'
import type { Fault } from '../fault.ts'
import { openPlace } from '../shared-server.ts'

const ROUNDS = { short: 1, full: 10 }
/** More than a server handles and keeps waiting at the same time. */
const AT_ONCE = { short: 20, full: 300 }
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const NESTED = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
const LARGE = 'x'.repeat(2 * 1024 * 1024 + 1)
const MANY_IDS = Array.from({ length: 10_000 }, (_, index) => ({ value: String(9_000_000 + index) }))
const OPERATIONS = Array.from({ length: 1_001 }, () => ({ op: 'replace', path: 'displayName', value: 'x' }))
const FILTERS = [
  'userName eq "x"',
  `userName eq "${'x'.repeat(900)}"`,
  `${'('.repeat(400)}userName eq "x"`,
  'userName eq "x" and '.repeat(6),
  `emails[${'type eq "work" and '.repeat(20)}value eq "x"]`,
  '%00',
]

export const fault: Fault = {
  group: 'credentials',
  title:
    'SCIM with its token: groups with 10,000 unknown members, patches with 1,001 steps, nested lists, bodies above 2 MiB, odd filters and pages, 300 at the same time; and with wrong tokens from many addresses',
  promise:
    'Each is answered or refused with 4xx or 503. Flags are written and read within 3 s meanwhile. No connection is left afterwards, and memory grows by at most 150 MB after the first round.',
  async run(_stage, scale) {
    // A server of its own, because its token is for the whole workspace.
    const place = await openPlace({ OIDC_LABEL: 'SCIM' })
    const { body, status } = await callApi(
      place.url,
      'POST',
      '/api/workspace/scim/token',
      undefined,
      place.admin,
    )
    if (status !== 200) throw new Error(`the token of SCIM returned ${status}`)
    const token: string = body.token
    const senders = Array.from({ length: AT_ONCE[scale] }, (_, index) =>
      createSender(place.url, loopbackAddress(index)),
    )
    const flood = (requestOf: (index: number) => SentRequest, bearer = token) =>
      Promise.all(
        senders.map(({ send }, index) => {
          const { headers, ...request } = requestOf(index)
          return send({ ...request, headers: { authorization: `Bearer ${bearer}`, ...headers } })
        }),
      )
    const leave = () => {
      for (const { close } of senders) close()
    }
    try {
      return await attackDoors(place, {
        doors: openDoors(flood),
        rounds: countOf(scale, ROUNDS),
        scale,
        leave,
      })
    } finally {
      leave()
      await callApi(place.url, 'DELETE', '/api/workspace/scim/token', undefined, place.admin)
    }
  },
}

type Flood = (requestOf: (index: number) => SentRequest, bearer?: string) => Promise<readonly number[]>

const TYPED = { 'content-type': 'application/scim+json' }

function openDoors(flood: Flood): readonly Door[] {
  const some = (path: string, body: object | string) => () =>
    flood((index) =>
      // Bodies of megabytes from a tenth of the senders.
      index % 10 === 0
        ? { method: 'POST', path, headers: TYPED, body }
        : { method: 'GET', path: '/scim/v2/Users?startIndex=1&count=200' },
    )
  return [
    some('/scim/v2/Groups', { displayName: 'many', members: MANY_IDS }),
    some('/scim/v2/Groups', { displayName: 'nested', members: JSON.parse(NESTED.slice(199_900, 200_100)) }),
    some('/scim/v2/Users', NESTED),
    some('/scim/v2/Users', LARGE),
    (round) =>
      flood((index) => ({
        method: 'PATCH',
        path: `/scim/v2/Groups/00000000-0000-4000-8000-${String(round * 1_000 + index).padStart(12, '0')}`,
        headers: TYPED,
        body: { schemas: [PATCH], Operations: OPERATIONS },
      })),
    (round) =>
      flood((index) => {
        const filter = encodeURIComponent(FILTERS[(round + index) % FILTERS.length] ?? '')
        return { method: 'GET', path: `/scim/v2/Users?filter=${filter}&startIndex=999999999&count=-1` }
      }),
    (round) =>
      flood((index) => ({
        method: 'POST',
        path: '/scim/v2/Users',
        headers: TYPED,
        body: {
          userName: `person-${round}-${index % 40}@example.com`,
          emails: Array(21).fill({ value: 'a@b' }),
        },
      })),
    (round) =>
      flood(() => ({ method: 'GET', path: '/scim/v2/Users' }), `scim_${'A'.repeat(42)}${round % 10}`),
  ]
}
