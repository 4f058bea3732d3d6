import { relative, resolve } from 'node:path'
import type { FileText } from '@burgee/importers'
import { readText } from '../files/read-files.ts'

/** The bytes of all files together. */
const FILES_MAX_BYTES = 64 * 1024 * 1024

/** Reads the files of an import. */
export function readImportFiles(paths: readonly string[], cwd: string): FileText[] {
  let bytes = 0
  return paths.map((path) => {
    const file = resolve(cwd, path)
    const content = readText(file, FILES_MAX_BYTES, bytes)
    bytes += Buffer.byteLength(content)
    return { name: relative(cwd, file) || path, content }
  })
}
