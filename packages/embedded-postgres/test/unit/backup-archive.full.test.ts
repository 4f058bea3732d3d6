import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BackupRefused } from '../../src/backup/archive-format.ts'
import { readArchive } from '../../src/backup/read-archive.ts'
import { finishSwap, refuseHalfRestored, swapIn } from '../../src/backup/swap-folders.ts'
import { type ArchiveWriter, writeArchive } from '../../src/backup/write-archive.ts'

const HEADER = {
  created_at: '2026-11-23T00:00:00.000Z',
  postgres: '18',
  machine: 'here',
  version: '1',
  migrations: [],
}
const MAGIC = 'BURGEE-BACKUP 1\n'

let folder: string
let count = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'burgee-archive-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const newFile = () => {
  count += 1
  return join(folder, `${count}.backup`)
}

/** Writes a backup with one large file, and returns its path. */
async function aBackup(
  add: (writer: ArchiveWriter) => Promise<void> = async () => undefined,
): Promise<string> {
  const file = newFile()
  const source = join(folder, 'source')
  writeFileSync(source, Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * index) % 251)))
  await writeArchive(file, async (writer) => {
    await writer.addHeader(HEADER)
    await writer.addFolder('postgresql/base')
    await writer.addFile('postgresql/base/1', source)
    await writer.addText('session-secret', 'a secret')
    await add(writer)
  })
  return file
}

const refusal = (file: string) =>
  readArchive(file).then(
    () => 'accepted',
    (error: unknown) => (error instanceof BackupRefused ? error.message : `crashed: ${String(error)}`),
  )

const rawRecord = (type: string, payload: Buffer | string, length = Buffer.byteLength(payload)) => {
  const prefix = Buffer.alloc(5)
  prefix.write(type, 0)
  prefix.writeUInt32BE(length, 1)
  return Buffer.concat([prefix, Buffer.from(payload)])
}

describe('a backup', () => {
  test('gives back what was written, for its owner alone', async () => {
    const file = await aBackup()
    const read = new Map<string, Buffer[]>()
    let current = ''
    const header = await readArchive(file, {
      file: async (path) => {
        current = path
        read.set(path, [])
      },
      chunk: async (bytes) => void read.get(current)?.push(Buffer.from(bytes)),
    })
    expect(header).toEqual(HEADER)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(Buffer.concat(read.get('postgresql/base/1') ?? [])).toEqual(readFileSync(join(folder, 'source')))
    expect(String(read.get('session-secret'))).toBe('a secret')
  })

  test('never replaces a file, and a failed one leaves nothing', async () => {
    const file = await aBackup()
    const before = readFileSync(file)
    await expect(writeArchive(file, async ({ addHeader }) => addHeader(HEADER))).rejects.toThrow(
      'exists already',
    )
    expect(readFileSync(file)).toEqual(before)
    const failed = newFile()
    await expect(
      writeArchive(failed, async () => {
        throw new Error('the disk is gone')
      }),
    ).rejects.toThrow('the disk is gone')
    expect(readdirSync(folder).filter((name) => name.startsWith(`${count}.`))).toEqual([])
    expect(existsSync(failed)).toBe(false)
  })

  test('is refused in a folder that does not exist', async () => {
    const file = join(folder, 'missing', 'a.backup')
    const written = writeArchive(file, async ({ addHeader }) => addHeader(HEADER))
    await expect(written).rejects.toThrow(BackupRefused)
    await expect(written).rejects.toThrow(`there is no folder ${join(folder, 'missing')}`)
  })

  test('that is a folder is named, though the system gives no path', async () => {
    await expect(readArchive(folder)).rejects.toMatchObject({ code: 'EISDIR', path: folder })
  })

  test('is refused when it is truncated anywhere', async () => {
    const whole = readFileSync(await aBackup())
    for (let step = 0; step < 40; step += 1) {
      const file = newFile()
      writeFileSync(file, whole)
      truncateSync(file, Math.floor((whole.length * step) / 40))
      expect(await refusal(file), `at step ${step}`).toMatch(/truncated|no backup/)
    }
  })

  test('is refused when a byte of its contents is altered, also with a repaired checksum of gzip', async () => {
    const contents = gunzipSync(readFileSync(await aBackup()))
    for (let step = 0; step < 60; step += 1) {
      const altered = Buffer.from(contents)
      const at = Math.floor(((contents.length - 1) * step) / 59)
      altered[at] = (altered[at] ?? 0) ^ 1
      const file = newFile()
      writeFileSync(file, gzipSync(altered, { level: 1 }))
      expect(await refusal(file), `byte ${at}`).toMatch(/altered|damaged|truncated|no backup|does not belong/)
    }
  })

  test('is refused when it has paths outside the data folder, or settings that could run commands', async () => {
    const paths = [
      '../outside',
      'postgresql/../../outside',
      '/etc/passwd',
      'postgresql//x',
      'postgresql/./x',
      'postgresql/postgresql.conf',
      'postgresql/postgresql.auto.conf',
      'postgresql/pg_hba.conf',
      'postgresql/standby.signal',
      'other',
      'session-secret/x',
      `postgresql/${'x'.repeat(600)}`,
      'postgresql/a\0b',
    ]
    for (const path of paths)
      expect(await refusal(await aBackup((writer) => writer.addText(path, 'x'))), path).toContain(
        'does not belong',
      )
  })

  test('is refused when its records are wrong', async () => {
    const header = rawRecord('H', JSON.stringify(HEADER))
    const cases: Readonly<Record<string, Buffer[]>> = {
      'no header': [rawRecord('F', 'postgresql/x')],
      'header of the backup is damaged': [rawRecord('H', '{"version": 1}')],
      'unknown type': [header, rawRecord('X', '')],
      'a record is too long': [header, rawRecord('C', '', 0xff_ff_ff_ff)],
      truncated: [header, rawRecord('F', 'postgresql/x')],
      'checksum is wrong': [header, rawRecord('E', Buffer.alloc(32))],
    }
    for (const [reason, records] of Object.entries(cases)) {
      const file = newFile()
      writeFileSync(file, gzipSync(Buffer.concat([Buffer.from(MAGIC), ...records])))
      expect(await refusal(file)).toContain(reason)
    }
    const file = newFile()
    writeFileSync(
      file,
      gzipSync(Buffer.concat([gunzipSync(readFileSync(await aBackup())), Buffer.from('more')])),
    )
    expect(await refusal(file)).toContain('bytes after its end')
  })
})

describe('the renaming of a restore', () => {
  test('is completed after a kill at any step, and the server refuses to start before', async () => {
    const names = ['postgresql', 'postgresql-password', 'session-secret']
    for (let done = 0; done <= names.length; done += 1) {
      const dataDir = mkdtempSync(join(folder, 'data-'))
      const draft = mkdtempSync(join(dataDir, '.postgresql-restore-'))
      for (const name of names) {
        const isDone = names.indexOf(name) < done
        writeFileSync(join(isDone ? dataDir : draft, name), 'new')
        if (!isDone) writeFileSync(join(dataDir, name), 'old')
      }
      const journal = { draft: draft.slice(dataDir.length + 1), aside: 'postgresql-before-restore-x' }
      writeFileSync(join(dataDir, 'postgresql-restore-journal'), JSON.stringify(journal))
      await expect(refuseHalfRestored(dataDir)).rejects.toThrow('was interrupted')
      await finishSwap(dataDir)
      await refuseHalfRestored(dataDir)
      for (const name of names) expect(readFileSync(join(dataDir, name), 'utf8')).toBe('new')
      expect(existsSync(draft)).toBe(false)
      for (const name of names.slice(done))
        expect(readFileSync(join(dataDir, journal.aside, name), 'utf8')).toBe('old')
    }
  })

  test('says where the replaced database is', async () => {
    const dataDir = mkdtempSync(join(folder, 'data-'))
    const draft = mkdtempSync(join(dataDir, '.postgresql-restore-'))
    writeFileSync(join(draft, 'postgresql'), 'new')
    expect(await swapIn(dataDir, draft)).toBeNull()
    const second = mkdtempSync(join(dataDir, '.postgresql-restore-'))
    writeFileSync(join(second, 'postgresql'), 'newer')
    const aside = await swapIn(dataDir, second)
    expect(readFileSync(join(String(aside), 'postgresql'), 'utf8')).toBe('new')
    expect(readFileSync(join(dataDir, 'postgresql'), 'utf8')).toBe('newer')
  })
})
