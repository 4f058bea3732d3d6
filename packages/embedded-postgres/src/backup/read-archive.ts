import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import {
  type BackupHeader,
  BackupRefused,
  CHUNK_MAX_BYTES,
  DIGEST_BYTES,
  FILES_MAX,
  MAGIC,
  PREFIX_BYTES,
  RECORD,
  readHeader,
  readPath,
} from './archive-format.ts'

/** The receiver of a backup's contents. A file is complete when the next one, or the end, comes. */
export interface ArchiveReceiver {
  header?(header: BackupHeader): void | Promise<void>
  folder?(path: string): Promise<void>
  file?(path: string): Promise<void>
  chunk?(bytes: Buffer): Promise<void>
}

/**
 * Reads a backup from the first to the last byte. Throws `BackupRefused` when it is truncated, altered or no
 * backup. Memory is bounded by one record. Nothing that a receiver got may be used before this resolves.
 */
export async function readArchive(file: string, receiver: ArchiveReceiver = {}): Promise<BackupHeader> {
  const source = createReadStream(file)
  const gunzip = createGunzip()
  // The system names no path when a read fails, as that of a folder does.
  source.on('error', (error) => gunzip.destroy(Object.assign(error, { path: file })))
  const reader = createReader(source.pipe(gunzip))
  const state: State = { header: null, files: 0, isInFile: false }
  try {
    if (!(await reader.take(MAGIC.length)).equals(MAGIC))
      throw new BackupRefused(`${file} is no backup of Burgee, or of a version that is not known here`)
    for (;;) {
      const digest = reader.digest()
      const prefix = await reader.take(PREFIX_BYTES)
      const length = prefix.readUInt32BE(1)
      if (length > CHUNK_MAX_BYTES) throw new BackupRefused('the backup is damaged: a record is too long')
      const payload = await reader.take(length)
      if (prefix.toString('latin1', 0, 1) === RECORD.end) {
        if (state.header === null || length !== DIGEST_BYTES || !payload.equals(digest))
          throw new BackupRefused('the backup was altered: its checksum is wrong')
        if (!(await reader.isAtEnd())) throw new BackupRefused('the backup has bytes after its end')
        return state.header
      }
      await receive(prefix.toString('latin1', 0, 1), payload, state, receiver)
    }
  } catch (error) {
    // zlib names what is wrong with its stream by a code of its own.
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw new BackupRefused(`the backup is truncated, damaged or no backup: ${error.message}`)
    throw error
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}

interface State {
  header: BackupHeader | null
  files: number
  isInFile: boolean
}

async function receive(
  type: string,
  payload: Buffer,
  state: State,
  receiver: ArchiveReceiver,
): Promise<void> {
  if (state.header === null) {
    if (type !== RECORD.header) throw new BackupRefused('the backup has no header')
    state.header = readHeader(payload)
    return receiver.header?.(state.header)
  }
  if (type === RECORD.chunk && state.isInFile) return receiver.chunk?.(payload)
  if (type !== RECORD.folder && type !== RECORD.file)
    throw new BackupRefused('the backup is damaged: a record has an unknown type')
  state.files += 1
  if (state.files > FILES_MAX) throw new BackupRefused(`the backup has more than ${FILES_MAX} files`)
  state.isInFile = type === RECORD.file
  const path = readPath(payload)
  return type === RECORD.file ? receiver.file?.(path) : receiver.folder?.(path)
}

/** Reads exact numbers of bytes, and hashes what was taken. */
function createReader(stream: AsyncIterable<Buffer>) {
  const chunks = stream[Symbol.asyncIterator]()
  const hash = createHash('sha256')
  let rest: Buffer = Buffer.alloc(0)
  const fill = async (length: number): Promise<boolean> => {
    const parts = [rest]
    let size = rest.length
    while (size < length) {
      const { done, value } = await chunks.next()
      if (done === true) break
      parts.push(value)
      size += value.length
    }
    if (parts.length > 1) rest = Buffer.concat(parts)
    return size >= length
  }
  return {
    digest: () => hash.copy().digest(),
    async isAtEnd() {
      return !(await fill(1))
    },
    async take(length: number): Promise<Buffer> {
      if (!(await fill(length))) throw new BackupRefused('the backup is truncated')
      const taken = rest.subarray(0, length)
      rest = rest.subarray(length)
      hash.update(taken)
      return taken
    },
  }
}
