import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createLog } from '../../../server/src/platform/log/log.ts'
import { runProgram } from '../../../server/test/harness/run-program.ts'
import { silentLog } from '../../../server/test/harness/silent-log.ts'
import { closeDataFolder } from '../../src/close-data-folder.ts'
import { canEnter } from '../../src/folder-access.ts'
import { postgresAccount } from '../../src/postgres-account.ts'
import { startEmbeddedPostgres } from '../../src/start-embedded-postgres.ts'

const SERVER = new URL('../harness/embedded-program.ts', import.meta.url)
const AS_ROOT = process.getuid?.() === 0
const PROGRAMS = { folder: '/opt/postgresql' }

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

/** Creates a folder that existed before Burgee, below one that everyone can enter. */
function aFolder(mode: number): string {
  const parent = mkdtempSync(join(tmpdir(), 'burgee-'))
  endings.push(() => rmSync(parent, { recursive: true, force: true }))
  chmodSync(parent, 0o755)
  const folder = join(parent, 'data')
  mkdirSync(folder)
  chmodSync(folder, mode)
  return folder
}

const modeOf = (folder: string) => statSync(folder).mode & 0o7777

function aLog() {
  const lines: string[] = []
  const log = createLog('warn', { write: (line: string) => void lines.push(line) })
  return { log, text: () => lines.join('') }
}

describe('DATA_DIR', () => {
  it('an existing DATA_DIR is closed to others, and keeps working', async () => {
    const dataDir = aFolder(0o755)
    for (const _start of ['first', 'second']) {
      const { close } = await startEmbeddedPostgres({
        dataDir,
        log: silentLog(),
        settings: { fsync: 'off' },
      })
      expect(modeOf(dataDir)).toBe(0o700)
      await close()
    }
  })

  it('DATA_DIR keeps its mode, with a warning, while it has files of other programs', async () => {
    const dataDir = aFolder(0o1777)
    writeFileSync(join(dataDir, 'notes.txt'), '')
    const { log, text } = aLog()
    await closeDataFolder({ log }, { account: null, binaries: PROGRAMS, dataDir })
    expect(modeOf(dataDir)).toBe(0o1777)
    expect(text()).toContain('DATA_DIR is open to other accounts')
  })

  it('DATA_DIR loses only the rights of others, without a warning', async () => {
    const dataDir = aFolder(0o2775)
    mkdirSync(join(dataDir, 'lost+found'))
    const { log, text } = aLog()
    await closeDataFolder({ log }, { account: null, binaries: PROGRAMS, dataDir })
    expect(modeOf(dataDir)).toBe(0o2700)
    expect(text()).toBe('')
  })

  it('DATA_DIR lets the account of PostgreSQL reach programs that were copied into it', async () => {
    const dataDir = aFolder(0o755)
    const folder = join(dataDir, 'burgee-postgresql-18.0.0')
    mkdirSync(folder)
    const account = { uid: statSync(dataDir).uid + 1, gid: statSync(dataDir).gid + 1 }
    await closeDataFolder({ log: silentLog() }, { account, binaries: { folder }, dataDir })
    expect(modeOf(dataDir)).toBe(0o711)
    expect(await canEnter(account, folder)).toBe(true)
  })
})

describe.runIf(AS_ROOT)('DATA_DIR of a server that runs as root (needs root)', () => {
  const accountOf = async () => {
    const account = await postgresAccount({ log: silentLog() }, [])
    if (account === null) throw new Error('these tests run as root')
    return account
  }

  it('a DATA_DIR of another account is closed to others, and PostgreSQL runs under that account', async () => {
    const { gid, uid } = await accountOf()
    const dataDir = aFolder(0o775)
    chownSync(dataDir, uid, gid)
    const { close } = await startEmbeddedPostgres({ dataDir, log: silentLog(), settings: { fsync: 'off' } })
    endings.push(close)
    expect(modeOf(dataDir)).toBe(0o700)
    expect(statSync(dataDir).uid).toBe(uid)
    expect(statSync(join(dataDir, 'postgresql')).uid).toBe(uid)
  })

  it('a DATA_DIR whose mode the server may not change is accepted', async () => {
    const dataDir = aFolder(0o777)
    const program = runProgram(SERVER, { args: [dataDir], account: await accountOf() })
    endings.push(async () => {
      program.signal('SIGTERM')
      await program.exited
    })
    await program.line(/^ready /)
    expect(modeOf(dataDir)).toBe(0o777)
  })
})
