import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SETTINGS } from '../config.ts'

/** Two folders up from both `src/platform` and `dist/platform`. */
const SHIPPED_PUBLIC_DIR = fileURLToPath(new URL('../../public', import.meta.url))

/**
 * The absolute folder of the dashboard's files: `public_dir` relative to the working folder, or, when that is the default and
 * missing, the folder that ships with the server.
 */
export function resolvePublicDir(public_dir: string): string {
  const wanted = resolve(public_dir)
  return public_dir !== SETTINGS.PUBLIC_DIR.default || existsSync(wanted) ? wanted : SHIPPED_PUBLIC_DIR
}
