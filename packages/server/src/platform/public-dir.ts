import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { packageFile } from './package-file.ts'
import { SETTINGS } from './settings/config.ts'

const SHIPPED_PUBLIC_DIR = packageFile('public')

/**
 * Returns the absolute folder of the dashboard's files: `publicDir` relative to the working folder, or, when
 * that is the default and missing, the folder that ships with the server.
 */
export function resolvePublicDir(publicDir: string): string {
  const wanted = resolve(publicDir)
  return publicDir !== SETTINGS.PUBLIC_DIR.default || existsSync(wanted) ? wanted : SHIPPED_PUBLIC_DIR
}
