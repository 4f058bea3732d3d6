import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Bus, Hint } from '../../../src/platform/bus/bus.ts'
import { createBus } from '../../../src/platform/bus/create-bus.ts'
import { createLog } from '../../../src/platform/log/log.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'

const ENVIRONMENT = '0b9d3a52-6a0e-4b4e-9a53-0d6c0c6a4f11'
const changes = (revision: number): Hint => ({ kind: 'changes', environment_id: ENVIRONMENT, revision })

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** The bus of one instance, with the hints and log lines that it got. */
async function aBus(redisUrl: string | null) {
  const lines: { level: string }[] = []
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line) as { level: string }) })
  const bus = await createBus({ log, pool: database.pool }, { redisUrl, connection: database.connection })
  const heard: Hint[] = []
  bus.subscribe((hint) => heard.push(hint))
  endings.push(() => bus.close())
  return { bus, heard, lines }
}

/** Publishes until it arrives: a hint may be lost, so one alone would prove nothing. */
async function reaches(from: Bus, heard: Hint[], revision: number): Promise<void> {
  await eventually(async () => {
    from.publish(changes(revision))
    await new Promise((resolve) => setTimeout(resolve, 20))
    return heard.some((hint) => hint.kind === 'changes' && hint.revision === revision)
  })
}

describe('hints over LISTEN/NOTIFY', () => {
  it('hints of every kind reach other instances over LISTEN/NOTIFY', async () => {
    const [one, other] = [await aBus(null), await aBus(null)]
    await reaches(one.bus, other.heard, 1)
    await reaches(other.bus, one.heard, 2)
    one.bus.publish({ kind: 'revocations' })
    one.bus.publish({ kind: 'revocations' })
    await eventually(() => other.heard.some(({ kind }) => kind === 'revocations'))
    expect(other.heard).toContainEqual({ kind: 'revocations' })
  })

  it('hints of a burst are one NOTIFY message', async () => {
    const [one, other] = [await aBus(null), await aBus(null)]
    await reaches(one.bus, other.heard, 1)
    other.heard.length = 0
    for (let revision = 2; revision <= 500; revision += 1) one.bus.publish(changes(revision))
    await eventually(() => other.heard.length > 0)
    expect(other.heard).toEqual([changes(500)])
  })

  it('hints arrive again after the listening connections were cut', async () => {
    const [one, other] = [await aBus(null), await aBus(null)]
    await reaches(one.bus, other.heard, 1)
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'burgee hints' and datname = current_database()`,
    )
    await eventually(() => other.lines.some(({ level }) => level === 'warn'))
    await reaches(one.bus, other.heard, 2)
    expect(other.lines.map(({ level }) => level)).toEqual(['warn', 'info'])
  })

  it('forged hints are ignored', async () => {
    const [one, other] = [await aBus(null), await aBus(null)]
    await reaches(one.bus, other.heard, 1)
    other.heard.length = 0
    for (const forged of ['', '{', '[{"kind":"changes"}]', '[1]']) {
      await database.pool.query(`select pg_notify('burgee_hints', $1)`, [forged])
    }
    await reaches(one.bus, other.heard, 2)
    expect(new Set(other.heard.map((hint) => JSON.stringify(hint)))).toEqual(
      new Set([JSON.stringify(changes(2))]),
    )
  })

  it('hints stop with the bus, which leaves no connection', async () => {
    const { bus, heard } = await aBus(null)
    await reaches(bus, heard, 1)
    await bus.close()
    await eventually(async () => {
      const { rows } = await database.pool.query(
        `select 1 from pg_stat_activity where application_name = 'burgee hints' and datname = current_database()`,
      )
      return rows.length === 0
    })
    bus.publish(changes(2))
  })
})

const REDIS = spawnSync('redis-server', ['--version']).status === 0

describe.runIf(REDIS)('hints over Redis (needs redis-server)', () => {
  it('hints of every kind reach other instances over Redis', async () => {
    const redis = await aRedis()
    const [one, other] = [await aBus(redis.url), await aBus(redis.url)]
    await reaches(one.bus, other.heard, 1)
    one.bus.publish({ kind: 'revocations' })
    one.bus.publish({ kind: 'revocations' })
    await eventually(() => other.heard.some(({ kind }) => kind === 'revocations'))
    expect(other.heard).toContainEqual({ kind: 'revocations' })
  })

  it('the Redis bus starts while Redis is down, and works once it is up', async () => {
    const port = await freePort()
    const [one, other] = [await aBus(`redis://127.0.0.1:${port}`), await aBus(`redis://127.0.0.1:${port}`)]
    one.bus.publish(changes(1))
    await eventually(() => one.lines.length > 0 && other.lines.length > 0)
    await aRedis(port)
    await reaches(one.bus, other.heard, 2)
    expect(other.heard).not.toContainEqual(changes(1))
  })

  it('hints arrive again after Redis was killed and restarted, with one log line for each change of state', async () => {
    const port = await freePort()
    const redis = await aRedis(port)
    const [one, other] = [await aBus(redis.url), await aBus(redis.url)]
    await reaches(one.bus, other.heard, 1)

    await redis.kill()
    await eventually(() => other.lines.some(({ level }) => level === 'warn'))
    for (let revision = 2; revision < 100; revision += 1) one.bus.publish(changes(revision))
    await aRedis(port)
    await reaches(one.bus, other.heard, 100)

    expect(other.lines.map(({ level }) => level)).toEqual(['info', 'warn', 'info'])
  })

  it('the Redis bus closes at once while Redis is down', async () => {
    const { bus } = await aBus(`redis://127.0.0.1:${await freePort()}`)
    bus.publish(changes(1))
    await bus.close()
    bus.publish(changes(2))
  })
})

async function aRedis(port?: number): Promise<{ url: string; kill(): Promise<void> }> {
  const chosen = port ?? (await freePort())
  const folder = mkdtempSync(join(tmpdir(), 'burgee-redis-'))
  const arguments_ = ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
  const child = spawn('redis-server', arguments_, { stdio: ['ignore', 'pipe', 'ignore'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = () => killAndWait(child, exited)
  endings.push(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => chunk.includes('Ready to accept connections') && resolve())
  })
  return { url: `redis://127.0.0.1:${chosen}`, kill }
}

async function killAndWait(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.kill('SIGKILL')
  await exited
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
