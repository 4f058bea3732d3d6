import { type Stats, unwatchFile, watchFile } from 'node:fs'

/** The milliseconds between two looks, which also notice a file that an editor has replaced. */
const INTERVAL_MS = 200
const WATCHED = ['mtimeMs', 'size', 'ino'] as const

/** Calls back when one of the files has changed. Returns a function that ends the watching. */
export function watchFiles(paths: readonly string[], onChange: () => void): () => void {
  const look = (now: Stats, before: Stats): void => {
    if (WATCHED.some((name) => now[name] !== before[name])) onChange()
  }
  for (const path of paths) watchFile(path, { interval: INTERVAL_MS }, look)
  return () => {
    for (const path of paths) unwatchFile(path, look)
  }
}
