import { type Endpoint, endpoints } from '@burgee/contract'
import { expect, test } from 'vitest'
import { openWorld, type World } from './bodies/open-world.ts'
import { type WorstBody, worstBodies } from './bodies/worst-bodies.ts'
import { type MeasuredServer, startMeasuredServer } from './harness/longest-turn.ts'
import { METRICS_TOKEN } from './harness/loop-delay.ts'
import { openStage } from './harness/open-stage.ts'
import { openLargeWorld } from './reads/open-large-world.ts'
import { type ReadResult, readWorst } from './reads/read-worst.ts'
import { BOUNDS, listWorstReads, type WorstRead } from './reads/worst-reads.ts'

const IS_FULL = process.env.BURGEE_FULL === '1'
/** The longest turn in processor time, of several trials. A busy machine, as that of CI is, lengthens it. */
const TURN_MAX_MS = IS_FULL ? 100 : 250
/** The number of trials. The shortest turn counts, because the machine may have been busy. */
const TRIALS_MAX = 5
/** The turn that needs no further trial: in the full run the goal, which the figures are compared with. */
const SURE_MS = IS_FULL ? 40 : TURN_MAX_MS
/** The number of bodies of each endpoint in a short run. */
const SHORT_BODIES = 3
const SHOWN = IS_FULL ? 60 : 10

interface Gap {
  readonly endpoint: string
  readonly body: string
  readonly status: number
  readonly turnMs: number
}

test('no body of any endpoint blocks the event loop for long', { timeout: 3_600_000 }, async () => {
  const stage = openStage()
  const server = await startMeasuredServer(stage, { dataDir: stage.folder('data'), env: { METRICS_TOKEN } })
  const world = await openWorld(server.url)
  const gaps: Gap[] = []
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    if (!endpoint.body) continue
    for (const body of chosen(endpoint)) {
      gaps.push({ endpoint: name, body: body.name, ...(await measure(server, world, endpoint, body)) })
    }
  }
  await server.stop()
  gaps.sort((a, b) => b.turnMs - a.turnMs)
  process.stdout.write(tableOf(gaps.slice(0, SHOWN)))
  expect(gaps.filter(({ turnMs }) => turnMs > TURN_MAX_MS)).toEqual([])
  expect(gaps.filter(({ status }) => status >= 500)).toEqual([])
})

/** Returns all bodies, or in a short run some that differ between endpoints. */
function chosen(endpoint: Endpoint): WorstBody[] {
  const all = worstBodies(endpoint)
  const step = IS_FULL ? 1 : Math.ceil(all.length / SHORT_BODIES)
  return all.filter((_, index) => index % step === 0)
}

async function measure(
  server: MeasuredServer,
  world: World,
  endpoint: Endpoint,
  body: WorstBody,
): Promise<Pick<Gap, 'turnMs' | 'status'>> {
  const text = body.text()
  const headers = { ...world.headersFor(endpoint), 'content-type': 'application/json' }
  let status = 0
  let turnMs = Number.POSITIVE_INFINITY
  for (let trial = 0; trial < TRIALS_MAX && turnMs > SURE_MS; trial += 1) {
    await server.longestTurnMs()
    const url = server.url + world.pathOf(endpoint)
    status = await statusOf(url, { method: endpoint.method, headers, body: text })
    turnMs = Math.min(turnMs, await server.longestTurnMs())
  }
  return { status, turnMs }
}

/** Returns 0 when the server closed the connection before the whole body was sent. */
async function statusOf(url: string, request: RequestInit): Promise<number> {
  try {
    const response = await fetch(url, request)
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

function tableOf(gaps: readonly Gap[]): string {
  const rows = gaps.map(
    ({ body, endpoint, status, turnMs }) => `| ${endpoint} | ${body} | ${status} | ${turnMs.toFixed(0)} ms |`,
  )
  return `\n| Endpoint | Body | Status | Longest turn |\n| --- | --- | ---: | ---: |\n${rows.join('\n')}\n`
}

/** Flags of 200 MB, and 10,000 ordinary ones; in a short run a tenth. */
const WORLD = IS_FULL
  ? { described: 100, valued: 100, ordinary: 10_000, others: 24 }
  : { described: 8, valued: 8, ordinary: 1_000, others: 4 }

interface Turn extends ReadResult {
  readonly endpoint: string
  readonly row: WorstRead
  readonly turnMs: number
}

test('no response of any GET blocks the event loop for long', { timeout: 3_600_000 }, async () => {
  const stage = openStage()
  const env = { METRICS_TOKEN, ENVIRONMENT_WIRE_MB: '256' }
  const server = await startMeasuredServer(stage, { dataDir: stage.folder('data'), env })
  const world = await openLargeWorld(server.url, WORLD)
  const turns: Turn[] = []
  for (const { endpoint, name, row } of listWorstReads()) {
    let result: ReadResult = { status: 0, bytes: 0 }
    let turnMs = Number.POSITIVE_INFINITY
    for (let trial = 0; trial < TRIALS_MAX && turnMs > TURN_MAX_MS; trial += 1) {
      await server.longestTurnMs()
      result = await readWorst(server.url, world, endpoint, row)
      turnMs = Math.min(turnMs, await server.longestTurnMs())
    }
    turns.push({ endpoint: name, row, turnMs, ...result })
  }
  await server.stop()
  process.stdout.write(readsTable(turns))
  expect(turns.filter(({ row, status }) => status !== (row.status ?? 200)).map(describeTurn)).toEqual([])
  expect(turns.filter(({ turnMs }) => turnMs > TURN_MAX_MS).map(describeTurn)).toEqual([])
})

const describeTurn = ({ endpoint, row, status, turnMs }: Turn): string =>
  `${endpoint} ${row.variant ?? ''} ${status} ${turnMs.toFixed(0)} ms`

function readsTable(turns: readonly Turn[]): string {
  const rows = turns.map(
    ({ bytes, endpoint, row, turnMs }) =>
      `| ${endpoint} | ${row.variant ?? ''} | ${BOUNDS[row.bound]} | ${(bytes / 1e6).toFixed(2)} MB | ${turnMs.toFixed(0)} ms |`,
  )
  return `\n| Endpoint | Variant | Bound | Size | Longest turn |\n| --- | --- | --- | ---: | ---: |\n${rows.join('\n')}\n`
}
