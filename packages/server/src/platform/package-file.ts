import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Returns the absolute path of a file or folder that ships with the server package, such as `migrations`. It
 * is searched upwards from this code, which runs from `src`, from `dist` and from a bundle.
 */
export function packageFile(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) {
    if (folder === dirname(folder)) throw new Error(`${name} of the server package was not found`)
    folder = dirname(folder)
  }
  return join(folder, name)
}
