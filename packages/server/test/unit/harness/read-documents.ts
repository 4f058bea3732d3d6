import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url))

/** Folders that builds and installations make. */
const MADE_FOLDERS = ['dist', 'node_modules', 'public']

/** Reads a file of the project by its path from the root. */
export const readDocument = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Lists the files and folders below a folder, as paths from the root. */
export function pathsBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (MADE_FOLDERS.includes(entry.name)) return []
    return entry.isDirectory() ? [path, ...pathsBelow(path)] : [path]
  })
}

/** Lists the anchors of a page: its headings as GitHub writes them. */
export const anchorsOf = (path: string): string[] =>
  [...readDocument(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
