import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../prepare.mjs'

/** Returns the folders below `packages/` whose package is published, in alphabetical order. */
export function publishedFolders() {
  return readdirSync(join(ROOT, 'packages'))
    .filter((folder) => readManifest(`packages/${folder}`).private !== true)
    .sort()
}

/** Reads the `package.json` of a folder; the empty path is the root. */
export function readManifest(folder) {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
}
