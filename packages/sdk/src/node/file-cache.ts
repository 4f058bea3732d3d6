import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MAX_FILE_BYTES, readBoundedFile } from './read-bounded-file.ts'

export interface FileCacheOptions {
  /** The largest file that is read or written, in bytes. Default 64 MiB. */
  readonly maxBytes?: number
}

/** A place for the last flags (see the option `cache` of the client). */
export interface FileCache {
  load(): Promise<string | null>
  save(text: string): Promise<void>
}

/**
 * Keeps the last flags in a file, with which the program starts while the server is unavailable. The file is
 * replaced at once, so that it is whole after a crash, and only this user of the machine can read it.
 * @param path A file for this environment alone. Its folder is created.
 */
export function fileCache(
  path: string | URL,
  { maxBytes = MAX_FILE_BYTES }: FileCacheOptions = {},
): FileCache {
  const file = typeof path === 'string' ? path : fileURLToPath(path)
  return {
    async load() {
      try {
        return (await readBoundedFile(file, maxBytes)).toString('utf8')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    async save(text) {
      const bytes = Buffer.byteLength(text)
      if (bytes > maxBytes)
        throw new RangeError(`${bytes} bytes of flags are more than ${maxBytes} (maxBytes)`)
      await mkdir(dirname(file), { recursive: true })
      const next = `${file}.${randomUUID()}.tmp`
      try {
        await writeFile(next, text, { mode: 0o600, flush: true })
        await rename(next, file)
      } catch (error) {
        await rm(next, { force: true })
        throw error
      }
    },
  }
}
