import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { SETTINGS } from '../config.ts'
import { packageFile } from './package-file.ts'

const SHIPPED_PUBLIC_DIR = packageFile('public')

/**
 * The absolute folder of the dashboard's files: `public_dir` relative to the working folder, or, when that is the default and
 * missing, the folder that ships with the server.
 */
export function resolvePublicDir(public_dir: string): string {
  const wanted = resolve(public_dir)
  return public_dir !== SETTINGS.PUBLIC_DIR.default || existsSync(wanted) ? wanted : SHIPPED_PUBLIC_DIR
}
