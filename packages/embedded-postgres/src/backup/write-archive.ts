import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { link, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { errorCode } from '../error-code.ts'
import { uniqueName } from '../random-text.ts'
import {
  type BackupHeader,
  BackupRefused,
  CHUNK_MAX_BYTES,
  MAGIC,
  PREFIX_BYTES,
  RECORD,
  type RecordType,
} from './archive-format.ts'

const OWNER_ONLY = 0o600
/** Data pages compress well at any level; the first costs the least time beside a running server. */
const GZIP_LEVEL = 1

/** A backup that is being written. */
export interface ArchiveWriter {
  /** Must come first. */
  addHeader(header: BackupHeader): Promise<void>
  addFolder(path: string): Promise<void>
  addText(path: string, text: string): Promise<void>
  /** Adds a file of the disk. False when it is gone, as tables are dropped meanwhile. */
  addFile(path: string, source: string): Promise<boolean>
}

/**
 * Writes a backup to a new file with mode 0600. The file has its name only when it is complete and on the
 * disk. Returns its size in bytes.
 */
export async function writeArchive(
  file: string,
  write: (writer: ArchiveWriter) => Promise<void>,
): Promise<number> {
  const draft = `${file}.${uniqueName()}`
  const output = createWriteStream(draft, { flags: 'wx', mode: OWNER_ONLY })
  await opened(output, file)
  const gzip = createGzip({ level: GZIP_LEVEL })
  const ended = finished(gzip.pipe(output))
  // A failure is thrown by the write that meets it, or at the end.
  ended.catch((error: Error) => gzip.destroy(error))
  gzip.on('error', () => undefined)
  const hash = createHash('sha256')
  const send = async (bytes: Buffer) => {
    hash.update(bytes)
    if (!gzip.write(bytes)) await Promise.race([once(gzip, 'drain'), ended])
  }
  const add = async (type: RecordType, payload: Buffer) => {
    const prefix = Buffer.alloc(PREFIX_BYTES)
    prefix.write(type, 0, 'latin1')
    prefix.writeUInt32BE(payload.length, 1)
    await send(Buffer.concat([prefix, payload]))
  }
  try {
    await send(MAGIC)
    await write(createWriter(add))
    await add(RECORD.end, hash.copy().digest())
    gzip.end()
    await ended
    return await publish(draft, file)
  } catch (error) {
    gzip.destroy()
    output.destroy()
    if (!output.closed) await once(output, 'close').catch(() => undefined)
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/** Waits until the file is open, so that a wrong path is refused before the database is read. */
async function opened(output: WriteStream, file: string): Promise<void> {
  try {
    await once(output, 'open')
  } catch (error) {
    const code = errorCode(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
    throw new BackupRefused(`there is no folder ${dirname(file)}: create it first`)
  }
}

function createWriter(add: (type: RecordType, payload: Buffer) => Promise<void>): ArchiveWriter {
  return {
    addFolder: (path) => add(RECORD.folder, Buffer.from(path)),
    addHeader: (header) => add(RECORD.header, Buffer.from(JSON.stringify(header))),
    async addText(path, text) {
      await add(RECORD.file, Buffer.from(path))
      await add(RECORD.chunk, Buffer.from(text))
    },
    async addFile(path, source) {
      const input = createReadStream(source, { highWaterMark: CHUNK_MAX_BYTES })
      try {
        await once(input, 'open')
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return false
        throw error
      }
      await add(RECORD.file, Buffer.from(path))
      for await (const chunk of input) await add(RECORD.chunk, chunk)
      return true
    },
  }
}

/** Gives a complete file its name, unless there is such a file. */
async function publish(draft: string, file: string): Promise<number> {
  const handle = await open(draft, 'r')
  try {
    await handle.sync()
    await link(draft, file)
    return (await handle.stat()).size
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    throw new BackupRefused(`${file} exists already: name another file`)
  } finally {
    await handle.close()
  }
}
