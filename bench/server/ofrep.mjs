import { firstEnvironment, flagKey, seedFlags } from '../harness/installation.mjs'
import { LOAD_COLUMNS, measureLoad } from './load.mjs'

const FLAGS = 100
const BULK = '/ofrep/v1/evaluate/flags'
const CONTEXT = { targetingKey: 'user-1', country: 'de', plan: 'pro' }
/** The load generator puts another id into each request. */
const ANY_CONTEXT = { ...CONTEXT, targetingKey: '[<id>]' }

/** The evaluations by the setting `OFREP_IMPRESSIONS`. */
const KINDS = {
  off: [
    { name: 'all flags, a context of their own each', path: BULK, context: ANY_CONTEXT, goal: 4_000 },
    { name: 'all flags, one context', path: BULK, context: CONTEXT },
    { name: 'all flags, 304', path: BULK, context: CONTEXT, status: 304, goal: 20_000 },
    { name: 'one flag', path: `${BULK}/${flagKey(0)}`, context: ANY_CONTEXT, goal: 12_000 },
  ],
  single: [
    { name: 'one flag, recorded as an impression', path: `${BULK}/${flagKey(0)}`, context: ANY_CONTEXT },
  ],
}

const COLUMNS = ['Evaluation', ...LOAD_COLUMNS]

export const ofrep = {
  title: 'OFREP with 100 flags: requests a second',
  sections: () =>
    Object.keys(KINDS).map((impressions) => ({
      columns: COLUMNS,
      compared: ['requests a second'],
      open: (context) => open(context, impressions),
    })),
}

async function open({ postgres, startServer }, impressions) {
  const env = { OFREP_IMPRESSIONS: impressions }
  const server = await startServer({ databaseUrl: await postgres.createDatabase(), env })
  const environment = await firstEnvironment(server)
  await seedFlags(server, environment, FLAGS)
  return {
    rows: KINDS[impressions].map((kind) => ({
      name: kind.name,
      measure: (ms) => measure(server, environment, { kind, ms }),
    })),
    close: () => server.stop(),
  }
}

async function measure(server, { sdk_key }, { kind, ms }) {
  const { context, goal, path, status = 200 } = kind
  const url = server.url + path
  const body = JSON.stringify({ context })
  const usual = { 'x-api-key': sdk_key, 'content-type': 'application/json' }
  const probe = await fetch(url, { method: 'POST', headers: usual, body })
  await probe.arrayBuffer()
  const headers = status === 304 ? { ...usual, 'if-none-match': probe.headers.get('etag') } : usual
  const request = { url, method: 'POST', body, headers }
  return measureLoad(server, request, { ms, status, goal: goal && { atLeast: goal } })
}
