import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Progress } from '../output/progress.ts'
import { findUsages, type Usage } from './find-usages.ts'
import { createKeyTrie } from './key-trie.ts'
import { listTrackedFiles, readSource } from './read-repository.ts'

export interface Reference extends Usage {
  readonly path: string
}

export interface Scan {
  readonly references: readonly Reference[]
  readonly unknown: readonly Reference[]
  readonly files: number
  readonly bytes: number
  readonly skipped: readonly { readonly file: string; readonly because: string }[]
}

/** The files between two redraws of the progress. */
const FILES_A_TURN = 50

/** Finds the flags that the tracked files of a folder name. */
export async function scanFolder(
  folder: string,
  { exclude, keys }: { readonly keys: readonly string[]; readonly exclude: readonly string[] },
  progress: Progress,
): Promise<Scan> {
  const trie = createKeyTrie(keys)
  const files = await listTrackedFiles(folder, exclude)
  const references: Reference[] = []
  const unknown: Reference[] = []
  const skipped: { file: string; because: string }[] = []
  let bytes = 0
  for (const [at, path] of files.entries()) {
    if (at % FILES_A_TURN === 0) {
      progress.update(at, files.length)
      await nextTurn()
    }
    const source = readSource(folder, path)
    if (source === null) continue
    if ('because' in source) {
      skipped.push(source)
      continue
    }
    bytes += source.length
    const found = findUsages(source, keys, trie)
    for (const usage of found.known) references.push({ ...usage, path })
    for (const usage of found.unknown) unknown.push({ ...usage, path })
  }
  return { references, unknown, files: files.length, bytes, skipped }
}
