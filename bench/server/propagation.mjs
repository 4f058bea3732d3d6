import { setTimeout as delay } from 'node:timers/promises'
import { openHttpConnection, patchBytes } from '../harness/http-connection.mjs'
import { firstEnvironment, flagKey, seedFlags } from '../harness/installation.mjs'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { percentile } from '../harness/percentile.mjs'
import { processorMs } from '../harness/process-usage.mjs'
import { figure } from '../harness/result-table.mjs'
import { startRedis } from '../harness/start-redis.mjs'
import { openBareFanOut } from './bare-fan-out.mjs'
import { sdkPropagation } from './sdk-propagation.mjs'
import { startStreamReader } from './start-stream-reader.mjs'
import { warmUp } from './warm-up.mjs'
import { slowestDuring, watchHealth } from './watch-health.mjs'

const LEVELS = [1, 100, 1_000, 10_000]
const QUICK_LEVELS = [1, 1_000]
const COMPARED_LEVELS = [1_000]
/** The number of streams that is measured beside a bare loop. */
const BARE_STREAMS = 10_000
/** The goals for the last of so many streams, by the number of servers. */
const GOALS_MS = { 1: { 1000: 20, 10000: 150 }, 2: { 1000: 20, 10000: 100 } }
const BARE_GOAL = { atMost: 1.1 }
const HEALTH_GOAL_MS = 30
const FLAGS = 10
const WARM_UP_WRITES = 1_000
const WARM_UP_CHANGES = 5
/** The pause between the last arrival of one change and the next change. */
const PAUSE_MS = 20
const LEAST_CHANGES = 10

const SETUPS = [
  { name: 'one process', servers: 1 },
  { name: 'two, LISTEN/NOTIFY', servers: 2 },
  { name: 'two, Redis', servers: 2, hasRedis: true },
]

const COLUMNS = [
  'Servers, streams',
  'p50',
  'p99',
  'p50 to half of the streams',
  'slowest /health meanwhile',
  'processor time a change: servers',
  'reader',
  'a bare loop: p50',
  'p99 of the loop',
  'p99 to that of the loop',
]

export const propagation = {
  title: 'Propagation: from the start of a PATCH to the last byte at the last stream',
  sections: ({ isComparison, quick }) => {
    const levels = isComparison ? COMPARED_LEVELS : quick ? QUICK_LEVELS : LEVELS
    const setups = isComparison ? SETUPS.slice(0, 1) : SETUPS
    const ofSetup = (setup) => ({
      columns: COLUMNS,
      compared: ['p50', 'p99'],
      open: (context) => openSetup(context, setup, levels),
    })
    return [...setups.map(ofSetup), sdkPropagation]
  },
}

async function openSetup({ postgres, startServer }, { hasRedis = false, name, servers: count }, levels) {
  const redis = hasRedis ? await startRedis() : null
  if (hasRedis && redis === null) return { rows: [], close: async () => {} }
  const databaseUrl = await postgres.createDatabase()
  const servers = []
  // One after the other: the first sets the installation up.
  for (let at = 0; at < count; at++) servers.push(await startServer({ databaseUrl, redisUrl: redis?.url }))
  const reader = startStreamReader()
  const environment = await firstEnvironment(servers[0])
  await seedFlags(servers[0], environment, FLAGS)
  await warmUp(servers[0], [environment], WARM_UP_WRITES)
  const opened = { streams: 0, bare: null }
  const openStreams = async (streams) => {
    const missing = Array.from({ length: streams - opened.streams }, (_, at) => ({
      port: servers[(opened.streams + at) % count].port,
      sdk_key: environment.sdk_key,
    }))
    if (missing.length > 0) await reader.open(missing)
    opened.streams = streams
    if (streams === BARE_STREAMS) opened.bare ??= await openBareFanOut(streams, count)
  }
  return {
    rows: levels.map((streams) => ({
      name: `${name}, ${streams.toLocaleString('en-US')}`,
      async measure(ms) {
        await openStreams(streams)
        const measured = await measureChanges({ servers, reader, environment, bare: opened.bare }, ms)
        return toCells(measured, GOALS_MS[count][streams])
      },
    })),
    async close() {
      await opened.bare?.close()
      await reader.close()
      await Promise.all(servers.map((server) => server.stop()))
      await redis?.close()
    },
  }
}

/** Sends changes, and after each the bare loop its buffer: both have the same moments of the machine. */
async function measureChanges({ bare, environment, reader, servers }, ms) {
  const connection = await openHttpConnection(servers[0].port)
  const startedAt = monotonicMs()
  // The closing letter distinguishes `mark-1` from `mark-10`.
  const markOf = (kind, at) => `${kind}-${Math.round(startedAt)}-${at}z`
  for (let at = 0; at < WARM_UP_CHANGES; at++)
    await changeOnce(connection, reader, environment, markOf('warm', at))
  const health = await Promise.all(servers.map(({ port }) => watchHealth(port)))
  const [measured, loops, used] = [[], [], []]
  for (let at = 0; at < LEAST_CHANGES || monotonicMs() - startedAt < ms; at++) {
    const before = totalProcessorMs(servers)
    measured.push(await changeOnce(connection, reader, environment, markOf('mark', at)))
    used.push(totalProcessorMs(servers) - before)
    if (bare !== null) loops.push(await bare.writeOnce(markOf('bare', at)))
  }
  const responses = await Promise.all(health.map((watch) => watch.stop()))
  connection.close()
  return { measured, responses, loops, processorMs: used.reduce((sum, each) => sum + each, 0) / used.length }
}

/** Sends one PATCH that puts the mark into a flag; resolves when every stream has it. */
async function changeOnce(connection, reader, environment, description) {
  const bytes = patchBytes(environment, flagKey(0), { description })
  const { arrived } = await reader.lookOutFor(description)
  const from = monotonicMs()
  const [{ status, body }, { cpuMs, last_at, medianAt }] = await Promise.all([
    connection.send(bytes),
    arrived,
  ])
  if (status !== 200) throw new Error(`PATCH returned ${status}: ${body}`)
  await delay(PAUSE_MS)
  return { from, to: last_at, lastMs: last_at - from, medianMs: medianAt - from, cpuMs }
}

function toCells({ responses, loops, measured, processorMs }, goalMs) {
  const last = measured.map(({ lastMs }) => lastMs)
  const median = measured.map(({ medianMs }) => medianMs)
  const reading = measured.map(({ cpuMs }) => cpuMs)
  const slowest = Math.max(...responses.map((ofServer) => slowestDuring(ofServer, measured)))
  const loop = percentile(loops, 99)
  return [
    figure(percentile(last, 50), 'ms'),
    figure(percentile(last, 99), 'ms', goalMs && { atMost: goalMs }),
    figure(percentile(median, 50), 'ms'),
    figure(slowest, 'ms', { atMost: HEALTH_GOAL_MS }),
    figure(processorMs, 'ms'),
    figure(percentile(reading, 50), 'ms'),
    ...(loops.length === 0
      ? ['', '', '']
      : [
          figure(percentile(loops, 50), 'ms'),
          figure(loop, 'ms'),
          figure(percentile(last, 99) / loop, '', BARE_GOAL),
        ]),
  ]
}

const totalProcessorMs = (servers) => servers.reduce((sum, { pid }) => sum + processorMs(pid), 0)
