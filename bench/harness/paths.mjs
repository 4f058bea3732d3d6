import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of this checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Returns the program of a checkout's server, which its manifest names. */
export function serverProgram(root = ROOT) {
  const folder = join(root, 'packages', 'server')
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, bin['burgee-server'])
}
