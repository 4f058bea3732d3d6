import { setTimeout as delay } from 'node:timers/promises'
import { openHttpConnection, patchBytes } from '../harness/http-connection.mjs'
import { firstEnvironment, flagKey, seedFlags } from '../harness/installation.mjs'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { percentile } from '../harness/percentile.mjs'
import { processorMs } from '../harness/process-usage.mjs'
import { figure } from '../harness/result-table.mjs'
import { startRedis } from '../harness/start-redis.mjs'
import { startServer } from '../harness/start-server.mjs'
import { measureSdkPropagation } from './sdk-propagation.mjs'
import { startStreamReader } from './start-stream-reader.mjs'
import { warmUp } from './warm-up.mjs'
import { slowestDuring, watchHealth } from './watch-health.mjs'

/** The numbers of streams, of measured changes, and of changes for warming up. */
const LEVELS = [
  { streams: 1, warmUp: 20, changes: 200 },
  { streams: 100, warmUp: 20, changes: 200 },
  { streams: 1_000, warmUp: 20, changes: 100 },
  { streams: 10_000, warmUp: 5, changes: 30 },
]
const QUICK_LEVELS = [
  { streams: 1, warmUp: 20, changes: 50 },
  { streams: 1_000, warmUp: 5, changes: 20 },
]
/** The goals for the last of so many streams, by the number of servers. */
const GOALS_MS = { 1: { 1000: 20, 10000: 150 }, 2: { 1000: 20, 10000: 100 } }
const HEALTH_GOAL_MS = 30
const FLAGS = 10
const WARM_UP_WRITES = 1_000
/** The pause between the last arrival of one change and the next change. */
const PAUSE_MS = 20

export const propagation = {
  title: 'Propagation: from the start of a PATCH to the last byte at the last stream',
  async run({ postgres, quick, progress }) {
    const levels = quick ? QUICK_LEVELS : LEVELS
    const redis = await startRedis()
    const setups = [
      { name: 'one process', servers: 1 },
      { name: 'two, LISTEN/NOTIFY', servers: 2 },
      ...(redis ? [{ name: 'two, Redis', servers: 2, redisUrl: redis.url }] : []),
    ]
    const rows = []
    try {
      for (const setup of setups) rows.push(...(await measureSetup(setup, { postgres, levels, progress })))
      const sdk = await measureSdkPropagation({ postgres, changes: quick ? 50 : 200 })
      rows.push(['one process, to a real SDK’s store', '1', ...sdk])
    } finally {
      await redis?.close()
    }
    return [{ columns: COLUMNS, rows }]
  },
}

const COLUMNS = [
  'Servers',
  'Streams',
  'p50',
  'p99',
  'p50 to half of the streams',
  'slowest /health meanwhile',
  'processor time a change: servers',
  'reader',
]

/** @typedef {{ name: string, servers: number, redisUrl?: string }} Setup */

async function measureSetup(
  /** @type {Setup} */ { name, servers: count, redisUrl },
  { postgres, levels, progress },
) {
  const databaseUrl = await postgres.createDatabase()
  const servers = []
  // One after the other: the first sets the installation up.
  for (let at = 0; at < count; at++) servers.push(await startServer({ databaseUrl, redisUrl }))
  const reader = startStreamReader()
  try {
    const environment = await firstEnvironment(servers[0])
    await seedFlags(servers[0], environment, FLAGS)
    await warmUp(servers[0], [environment], WARM_UP_WRITES)
    const rows = []
    let opened = 0
    for (const level of levels) {
      progress(`${name}, ${level.streams} streams`)
      const missing = Array.from({ length: level.streams - opened }, (_, at) => ({
        port: servers[(opened + at) % count].port,
        sdk_key: environment.sdk_key,
      }))
      await reader.open(missing)
      opened = level.streams
      const measured = await measureChanges(servers, reader, environment, level)
      rows.push([
        name,
        level.streams.toLocaleString('en-US'),
        ...toCells(measured, GOALS_MS[count][level.streams]),
      ])
    }
    return rows
  } finally {
    await reader.close()
    await Promise.all(servers.map((server) => server.stop()))
  }
}

async function measureChanges(servers, reader, environment, { streams, warmUp, changes }) {
  const connection = await openHttpConnection(servers[0].port)
  const change = (mark) => changeOnce(connection, reader, environment, mark)
  for (let at = 0; at < warmUp; at++) await change(`warm-${streams}-${at}`)
  const health = await Promise.all(servers.map(({ port }) => watchHealth(port)))
  const processorBefore = totalProcessorMs(servers)
  const measured = []
  for (let at = 0; at < changes; at++) measured.push(await change(`mark-${streams}-${at}`))
  const processorMs = (totalProcessorMs(servers) - processorBefore) / changes
  const answers = await Promise.all(health.map((watch) => watch.stop()))
  connection.close()
  return { measured, answers, processorMs }
}

/** Sends one PATCH that puts the mark into a flag; resolves when every stream has it. */
async function changeOnce(connection, reader, environment, mark) {
  // The closing letter distinguishes `mark-1` from `mark-10`.
  const description = `${mark}z`
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

function toCells({ measured, answers, processorMs }, goalMs) {
  const last = measured.map(({ lastMs }) => lastMs)
  const median = measured.map(({ medianMs }) => medianMs)
  const reading = measured.map(({ cpuMs }) => cpuMs)
  const slowest = Math.max(...answers.map((ofServer) => slowestDuring(ofServer, measured)))
  return [
    figure(percentile(last, 50), 'ms'),
    figure(percentile(last, 99), 'ms', goalMs && { atMost: goalMs }),
    figure(percentile(median, 50), 'ms'),
    figure(slowest, 'ms', { atMost: HEALTH_GOAL_MS }),
    figure(processorMs, 'ms'),
    figure(percentile(reading, 50), 'ms'),
  ]
}

const totalProcessorMs = (servers) => servers.reduce((sum, { pid }) => sum + processorMs(pid), 0)
