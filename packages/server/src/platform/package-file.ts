import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The absolute path of a file or folder that ships with the server package, such as `migrations`. Looked for upwards from
 * this code, which runs from `src`, from `dist` and from one bundled file alike.
 */
export function packageFile(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) {
    if (folder === dirname(folder)) throw new Error(`${name} of the server package was not found`)
    folder = dirname(folder)
  }
  return join(folder, name)
}
