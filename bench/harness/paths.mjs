import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Returns the path of a built file of the server. */
export const serverFile = (path) => join(ROOT, 'packages', 'server', 'dist', path)

export const embeddedFile = (path) => join(ROOT, 'packages', 'embedded-postgres', 'dist', path)
