import { spawn } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { connectDatabase } from '../../../server/src/platform/db/connect.ts'
import { eventually } from '../../../server/test/harness/eventually.ts'
import { type Program, runProgram } from '../../../server/test/harness/run-program.ts'
import { silentLog } from '../../../server/test/harness/silent-log.ts'
import type { DatabaseAddress } from '../../src/database-address.ts'
import { postgresAccount } from '../../src/postgres-account.ts'
import { DataDirInUse, startEmbeddedPostgres } from '../../src/start-embedded-postgres.ts'

const SERVER = new URL('../harness/embedded-program.ts', import.meta.url)
const AS_ROOT = process.getuid?.() === 0
const log = silentLog()

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

/** Creates a folder, which is removed after the test. */
function aFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'burgee-'))
  endings.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function start(dataDir: string) {
  const { close, connection, ownerConnection } = await startEmbeddedPostgres({ dataDir, log })
  endings.push(close)
  return { connection: ownerConnection, application: connection, close }
}

function startProgram(dataDir: string, account: { uid: number; gid: number } | null = null): Program {
  const program = runProgram(SERVER, { args: [dataDir], account })
  endings.push(async () => {
    program.signal('SIGTERM')
    await program.exited
  })
  return program
}

async function connectionOf(program: Program): Promise<DatabaseAddress> {
  return JSON.parse((await program.line(/^ready /)).slice('ready '.length)) as DatabaseAddress
}

async function run(connection: DatabaseAddress, ...statements: string[]) {
  const { pool, close } = connectDatabase({ connection, max_connections: 1, log })
  try {
    let rows: unknown[] = []
    for (const statement of statements) rows = (await pool.query(statement)).rows
    return rows
  } finally {
    await close()
  }
}

const postmasterPid = (dataDir: string) =>
  Number(readFileSync(join(dataDir, 'postgresql', 'postmaster.pid'), 'utf8').split('\n')[0])

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

describe('the embedded PostgreSQL', () => {
  it('the embedded PostgreSQL keeps its data over a restart', async () => {
    const dataDir = join(aFolder(), 'not', 'there', 'yet')
    const first = await start(dataDir)
    await run(first.connection, 'create table kept (n int)', 'insert into kept values (7)')
    await first.close()

    const second = await start(dataDir)

    expect(await run(second.connection, 'select n from kept')).toEqual([{ n: 7 }])
  })

  it('the embedded PostgreSQL is UTF-8, sorts by code point, has case rules beyond ASCII, and is durable', async () => {
    const { connection } = await start(aFolder())
    const [row] = await run(
      connection,
      `select current_setting('server_encoding') as encoding, lower('ÀÉ') as lowered, 'Z' < 'a' as code_points,
        current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
        current_setting('synchronous_commit') as synchronous_commit, current_setting('TimeZone') as time_zone`,
    )
    expect(row).toEqual({
      encoding: 'UTF8',
      lowered: 'àé',
      code_points: true,
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      time_zone: 'UTC',
    })
  })

  it('the embedded PostgreSQL listens on no TCP port, and its socket is in a private folder', async () => {
    const dataDir = aFolder()
    const { connection } = await start(dataDir)
    expect(await run(connection, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    expect(statSync(join(dataDir, 'postgresql')).mode & 0o777).toBe(0o700)
    expect(statSync(join(dataDir, 'postgresql', '.s.PGSQL.5432')).isSocket()).toBe(true)
  })

  it('the embedded PostgreSQL leaves no process when it is closed', async () => {
    const dataDir = aFolder()
    const postgres = await start(dataDir)
    const pid = postmasterPid(dataDir)
    expect(isAlive(pid)).toBe(true)
    await postgres.close()
    expect(isAlive(pid)).toBe(false)
    expect(existsSync(join(dataDir, 'postgresql', 'postmaster.pid'))).toBe(false)
  })

  it('the embedded PostgreSQL works in a folder whose path exceeds a socket address', async () => {
    const { connection } = await start(join(aFolder(), 'a-long-name-'.repeat(15)))
    expect(await run(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it("the embedded PostgreSQL allows more connections than the application's pool", async () => {
    const postgres = await startEmbeddedPostgres({ dataDir: aFolder(), log, max_connections: 100 })
    endings.push(() => postgres.close())
    expect(await run(postgres.connection, 'show max_connections')).toEqual([{ max_connections: '120' }])
  })
})

describe('the embedded PostgreSQL after a kill', () => {
  it('the next server replaces the PostgreSQL of a killed one and loses nothing that was committed', async () => {
    const dataDir = aFolder()
    const killed = startProgram(dataDir)
    const before = await connectionOf(killed)
    await run(before, 'create table kept (n int)', 'insert into kept select generate_series(1, 1000)')
    const orphan = postmasterPid(dataDir)
    killed.signal('SIGKILL')
    await killed.exited
    expect(isAlive(orphan)).toBe(true)

    const { connection } = await start(dataDir)

    expect(await run(connection, 'select count(*) as count from kept')).toEqual([{ count: 1000 }])
    expect(isAlive(orphan)).toBe(false)
  })

  it('the embedded PostgreSQL recovers when it was killed with the server', async () => {
    const dataDir = aFolder()
    const killed = startProgram(dataDir)
    await run(await connectionOf(killed), 'create table kept (n int)', 'insert into kept values (1)')
    const pid = postmasterPid(dataDir)
    killed.signal('SIGKILL')
    process.kill(pid, 'SIGKILL')
    await killed.exited

    const { connection } = await start(dataDir)

    expect(await run(connection, 'select n from kept')).toEqual([{ n: 1 }])
  })

  it('the next start works when the first one was killed while it created the cluster', async () => {
    const dataDir = aFolder()
    const killed = startProgram(dataDir)
    const draft = () => readdirSync(dataDir).find((name) => name.startsWith('.postgresql-init-'))
    await eventually(() => existsSync(join(dataDir, draft() ?? '', 'PG_VERSION')) && draft())
    killed.signal('SIGKILL')
    await killed.exited
    expect(existsSync(join(dataDir, 'postgresql'))).toBe(false)

    const { connection } = await start(dataDir)

    expect(await run(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('the next start works when the process id of the old PostgreSQL belongs to another process', async () => {
    const dataDir = aFolder()
    await (await start(dataDir)).close()
    const account = await postgresAccount({ log }, [join(dataDir, 'postgresql')])
    const stranger = spawn('sleep', ['60'], { ...(account ?? {}), cwd: '/' })
    endings.push(() => stranger.kill('SIGKILL'))
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
      const file = join(dataDir, 'postgresql', name)
      writeFileSync(file, `${stranger.pid}\n${dataDir}\n1700000000\n5432\n.\n\n 12345 1\nready   \n`)
      if (account !== null) chownSync(file, account.uid, account.gid)
    }

    const { connection } = await start(dataDir)

    expect(await run(connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(stranger.exitCode).toBeNull()
  })

  it('the embedded PostgreSQL is restarted when only it was killed', async () => {
    const dataDir = aFolder()
    const { connection } = await start(dataDir)
    const pid = postmasterPid(dataDir)
    process.kill(pid, 'SIGKILL')

    await eventually(
      () => existsSync(join(dataDir, 'postgresql', 'postmaster.pid')) && postmasterPid(dataDir) !== pid,
    )

    expect(await eventually(() => run(connection, 'select 1 as one'))).toEqual([{ one: 1 }])
  })
})

describe('a second server on the same DATA_DIR', () => {
  it('a second server on one DATA_DIR is refused with one clear line, and the first is not disturbed', async () => {
    const dataDir = aFolder()
    const { connection } = await start(dataDir)
    const pid = postmasterPid(dataDir)

    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(DataDirInUse)
    const other = startProgram(dataDir)

    expect(await other.exited).toBe(1)
    expect(other.errors().trim().split('\n')).toEqual([
      expect.stringContaining(`another Burgee server is running on`),
    ])
    expect(postmasterPid(dataDir)).toBe(pid)
    expect(await run(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('a second server is refused also when both start at once, on a new folder and on an old one', async () => {
    const dataDir = aFolder()
    for (const round of ['new folder', 'old folder']) {
      const servers = [startProgram(dataDir), startProgram(dataDir), startProgram(dataDir)]
      const outcomes = await Promise.all(
        servers.map((server) =>
          connectionOf(server).then(
            () => 'runs',
            () => 'refused',
          ),
        ),
      )
      expect(outcomes.sort(), round).toEqual(['refused', 'refused', 'runs'])
      for (const server of servers) server.signal('SIGTERM')
      await Promise.all(servers.map(({ exited }) => exited))
      expect(existsSync(join(dataDir, 'postgresql', 'postmaster.pid')), round).toBe(false)
    }
  })

  it('a second server starts once the first is closed', async () => {
    const dataDir = aFolder()
    await (await start(dataDir)).close()
    const { connection } = await start(dataDir)
    expect(await run(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe.runIf(AS_ROOT)('the embedded PostgreSQL as root (needs root)', () => {
  it('root runs PostgreSQL under another account, also below folders that this account cannot enter', async () => {
    const closed = aFolder()
    expect(statSync(closed).mode & 0o777).toBe(0o700)
    const dataDir = join(closed, 'checkout', 'data')
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })

    const { connection } = await start(dataDir)

    expect(await run(connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(statSync(join(dataDir, 'postgresql')).uid).not.toBe(0)
    expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(statSync(join(dataDir, 'postgresql')).uid)
  })

  it('root uses the folder of an ordinary user under that user, who can use it afterwards', async () => {
    const account = await postgresAccount({ log }, [])
    if (account === null) throw new Error('this test runs as root')
    const dataDir = aFolder('/tmp')
    chownSync(dataDir, account.uid, account.gid)
    const first = startProgram(dataDir, account)
    await run(await connectionOf(first), 'create table kept (n int)')
    first.signal('SIGTERM')
    await first.exited

    const asRoot = await start(dataDir)
    await run(asRoot.connection, 'insert into kept values (1)')
    await asRoot.close()

    const again = startProgram(dataDir, account)
    expect(await run(await connectionOf(again), 'select n from kept')).toEqual([{ n: 1 }])
  })
})
