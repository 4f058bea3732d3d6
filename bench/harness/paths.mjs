import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout's folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A built file of the server. */
export const serverFile = (path) => join(ROOT, 'packages', 'server', 'dist', path)
