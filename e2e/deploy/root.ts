import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Reads a file of the repository. */
export const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
