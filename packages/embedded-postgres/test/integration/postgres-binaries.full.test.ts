import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../../server/test/harness/silent-log.ts'
import { canEnter } from '../../src/folder-access.ts'
import { postgresAccount } from '../../src/postgres-account.ts'
import { postgresBinaries, programOf } from '../../src/postgres-binaries.ts'

const AS_ROOT = process.getuid?.() === 0
const log = silentLog()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'burgee-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Creates an installed package as after `npm --ignore-scripts`: without its library links. */
async function aPackageWithoutLinks(): Promise<{ folder: string; version: string }> {
  const { folder: installed } = await postgresBinaries({ log }, { account: null, dataDir: folder })
  const native = join(folder, 'package', 'native')
  cpSync(installed, native, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() })
  const links = readdirSync(join(native, 'lib')).filter((name) =>
    lstatSync(join(native, 'lib', name)).isSymbolicLink(),
  )
  expect(links).toEqual([])
  return { folder: native, version: '1.2.3' }
}

const runs = (binaries: { folder: string }, account: { uid: number; gid: number } | null) =>
  spawnSync(programOf(binaries, 'postgres'), ['--version'], {
    ...(account ?? {}),
    cwd: '/',
    encoding: 'utf8',
  }).stdout

describe("PostgreSQL's programs on disk", () => {
  it('the programs run from the installed package if possible, with links that the install script did not create', async () => {
    const installed = await aPackageWithoutLinks()
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    const found = await postgresBinaries({ log }, { account: null, dataDir, installed })
    expect(found.folder).toBe(installed.folder)
    expect(runs(found, null)).toContain('PostgreSQL')
    expect(readdirSync(dataDir)).toEqual([])
  })

  it.runIf(AS_ROOT)(
    'the programs run from one copy for each version when their account cannot enter the package (needs root)',
    async () => {
      const account = await postgresAccount({ log }, [])
      const installed = await aPackageWithoutLinks()
      const dataDir = mkdtempSync(join(tmpdir(), 'burgee-'))
      try {
        expect(await canEnter(account, installed.folder)).toBe(false)
        const closed = await postgresBinaries(
          { log },
          { account, dataDir: folder, installed: { ...installed, version: '0.0.0-test' } },
        )
        expect(closed.folder.startsWith(folder)).toBe(false)
        rmSync(closed.folder, { recursive: true })

        spawnSync('chmod', ['711', dataDir])
        const copied = await postgresBinaries({ log }, { account, dataDir, installed })
        expect(copied.folder).toBe(join(dataDir, 'burgee-postgresql-1.2.3'))
        expect(runs(copied, account)).toContain('PostgreSQL')

        const { ino } = statSync(copied.folder)
        await postgresBinaries({ log }, { account, dataDir, installed })
        expect(statSync(copied.folder).ino).toBe(ino)

        rmSync(join(copied.folder, 'share', 'postgresql', 'postgres.bki'), { force: true })
        await postgresBinaries({ log }, { account, dataDir, installed })
        expect(existsSync(join(copied.folder, 'share', 'postgresql', 'postgres.bki'))).toBe(true)
        expect(readdirSync(dataDir)).toEqual(['burgee-postgresql-1.2.3'])
      } finally {
        rmSync(dataDir, { recursive: true })
      }
    },
  )
})
