import { basename, resolve } from 'node:path'
import { REFERENCES_MAX } from '@burgee/contract'
import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import { countOf } from '../output/count-of.ts'
import { printable } from '../output/output.ts'
import { listKnownFlags } from '../usages/known-flags.ts'
import { askGit } from '../usages/read-repository.ts'
import { type Reference, scanFolder } from '../usages/scan.ts'

interface UsagesOptions {
  readonly exclude?: readonly string[]
  readonly failOnUnknown?: boolean
  readonly upload?: boolean
  readonly repo?: string
  readonly commit?: string
  readonly branch?: string
  readonly urlTemplate?: string
}

/** Adds `burgee usages`: where code names flags. */
export function addUsages(program: Command, context: CommandContext): void {
  program
    .command('usages')
    .description('find the flags that the files of a git repository name, and keys that no flag has')
    .argument('<folder>', 'the repository, or a folder of it')
    .option('--exclude <pattern...>', 'paths to leave out, as git writes them')
    .option('--fail-on-unknown', 'exit code 3 when code names a flag that does not exist, or is archived')
    .option('--upload', 'store the places on the server, for the page of each flag')
    .option('--repo <name>', 'name of the repository for --upload; otherwise that of the folder')
    .option('--commit <hash>', 'the commit; otherwise that of the folder')
    .option('--branch <name>', 'the branch; otherwise that of the folder')
    .option('--url-template <url>', 'address of a line, with {commit}, {path} and {line}')
    .action(async (folder: string, options: UsagesOptions) => {
      const known = await listKnownFlags(context)
      const keys = [...known.keys()]
      const progress = context.progress('Reading files')
      const scan = await scanFolder(
        resolve(context.io.cwd, folder),
        { keys, exclude: options.exclude ?? [] },
        progress,
      )
      progress.end()
      const used = new Set(scan.references.map(({ flag_key }) => flag_key))
      const archived = scan.references.filter(({ flag_key }) => known.get(flag_key) === false)
      const unused = keys.filter((key) => !used.has(key)).sort()
      if (options.failOnUnknown && scan.unknown.length + archived.length > 0)
        context.endWith(EXIT.differences)
      for (const { because, file } of scan.skipped)
        if (because === 'large') context.remark(printable(`${file} is too large and was not read.`))
      if (options.upload) await upload(context, resolve(context.io.cwd, folder), scan.references, options)
      context.print({ ...scan, archived, unused }, () => describe({ ...scan, archived, unused }, context))
    })
}

/** Stores the references of a repository on the server. */
async function upload(
  context: CommandContext,
  folder: string,
  found: readonly Reference[],
  { branch, commit, repo, urlTemplate }: UsagesOptions,
): Promise<void> {
  if (found.length > REFERENCES_MAX)
    throw new CommandError(
      `There are ${found.length} references, and a repository has at most ${REFERENCES_MAX}. Leave files out with --exclude.`,
    )
  const { id: project_id } = await context.project()
  const name = repo ?? basename((await askGit(folder, 'rev-parse', '--show-toplevel')) ?? folder)
  const body = {
    commit: commit ?? (await askGit(folder, 'rev-parse', 'HEAD')) ?? 'unknown',
    branch: branch ?? (await askGit(folder, 'rev-parse', '--abbrev-ref', 'HEAD')) ?? 'unknown',
    ...(urlTemplate !== undefined && { url_template: urlTemplate }),
    references: found.map(({ flag_key, line, path, text }) => ({ flag_key, line, path, text })),
  }
  await context.api().call('putReferences', { params: { project_id, repo: name }, body })
  context.remark(
    `${countOf(found.length, 'reference')} of ${name} ${found.length === 1 ? 'is' : 'are'} stored.`,
  )
}

interface Found {
  readonly references: readonly Reference[]
  readonly unknown: readonly Reference[]
  readonly archived: readonly Reference[]
  readonly unused: readonly string[]
  readonly files: number
}

function describe({ archived, files, references, unknown, unused }: Found, context: CommandContext): string {
  const gone = new Set(archived)
  const rows = [
    ...references.map((reference) => ({ reference, state: gone.has(reference) ? 'archived' : '' })),
    ...unknown.map((reference) => ({ reference, state: 'unknown' })),
  ].map(({ reference: { flag_key, line, path, text }, state }) => [flag_key, state, `${path}:${line}`, text])
  const flags = countOf(new Set(references.map(({ flag_key }) => flag_key)).size, 'flag')
  const found = `${countOf(references.length, 'reference')} to ${flags} in ${countOf(files, 'file')}`
  const summary = `${found}; ${unknown.length} to unknown keys, ${archived.length} to archived flags, ${countOf(unused.length, 'flag')} unused.\n`
  return rows.length === 0
    ? summary
    : `${context.table(['FLAG', 'STATE', 'PLACE', 'LINE'], rows)}\n${summary}`
}
