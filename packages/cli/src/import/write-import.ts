import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { APPLY_FILE_VERSION } from '@burgee/contract'
import type { ImportResult } from '@burgee/importers'
import { stringify } from 'yaml'
import type { CommandContext } from '../command-context.ts'
import { cannotWrite } from '../files/file-problem.ts'

interface ImportOutput {
  readonly result: ImportResult
  readonly page: string
}

const NAME_MAX_LENGTH = 64

/** Writes one file for each environment, the report twice, and the changed keys. Returns the paths. */
export function writeImport(
  { io: { cwd } }: CommandContext,
  out: string,
  { page, result: { aliases, environments, report } }: ImportOutput,
): string[] {
  const folder = resolve(cwd, out)
  const names = new Set<string>()
  const { flags, notes, system } = report
  const files: [string, string][] = [
    ...environments.map(({ environment, flags, segments }): [string, string] => {
      const document = { apiVersion: APPLY_FILE_VERSION, environment: slugOf(environment), segments, flags }
      const text = stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })
      return [`${unique(slugOf(environment), names)}.burgee.yaml`, text]
    }),
    ['report.md', page],
    ['report.json', `${JSON.stringify({ system, flags, notes }, null, 2)}\n`],
    ...(Object.keys(aliases).length > 0
      ? [['aliases.json', `${JSON.stringify(aliases, null, 2)}\n`] as [string, string]]
      : []),
  ]
  try {
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of files) writeFileSync(join(folder, name), text)
  } catch (error) {
    throw cannotWrite(out, error)
  }
  return files.map(([name]) => relative(cwd, join(folder, name)))
}

/** The names of environments come from the file: they become names of files without folders. */
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, NAME_MAX_LENGTH) || 'environment'

function unique(name: string, names: Set<string>): string {
  let free = name
  for (let count = 2; names.has(free); count += 1) free = `${name}-${count}`
  names.add(free)
  return free
}
