import { firstEnvironment, seedFlags } from '../harness/installation.mjs'
import { LOAD_COLUMNS, measureLoad } from './load.mjs'

const FLAG_COUNTS = [1, 100, 1_000]
/** The number of flags that the goals apply to, and that a comparison has. */
const GOAL_FLAGS = 100

const KINDS = [
  { name: 'plain', goal: 12_000, headers: () => ({}) },
  { name: 'gzip', goal: 30_000, headers: () => ({ 'accept-encoding': 'gzip' }) },
  { name: '304', goal: 40_000, status: 304, headers: (etag) => ({ 'if-none-match': etag }) },
]

const COLUMNS = ['Flags, response', ...LOAD_COLUMNS]

export const snapshot = {
  title: 'GET /flags/snapshot: requests a second',
  sections: ({ isComparison }) =>
    (isComparison ? [GOAL_FLAGS] : FLAG_COUNTS).map((flags) => ({
      columns: COLUMNS,
      compared: ['requests a second'],
      open: (context) => open(context, flags),
    })),
}

async function open({ postgres, startServer }, flags) {
  const server = await startServer({ databaseUrl: await postgres.createDatabase() })
  const environment = await firstEnvironment(server)
  await seedFlags(server, environment, flags)
  return {
    rows: KINDS.map((kind) => ({
      name: `${flags.toLocaleString('en-US')}, ${kind.name}`,
      measure: (ms) => measure(server, environment, { flags, kind, ms }),
    })),
    close: () => server.stop(),
  }
}

async function measure(server, { sdk_key }, { flags, kind: { goal, headers, status = 200 }, ms }) {
  const url = `${server.url}/flags/snapshot`
  const authorization = `Bearer ${sdk_key}`
  const probe = await fetch(url, { headers: { authorization, 'accept-encoding': 'identity' } })
  await probe.arrayBuffer()
  const request = { url, headers: { authorization, ...headers(probe.headers.get('etag')) } }
  return measureLoad(server, request, {
    ...{ ms, status },
    goal: flags === GOAL_FLAGS ? { atLeast: goal } : undefined,
  })
}
