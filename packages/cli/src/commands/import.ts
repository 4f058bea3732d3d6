import { IMPORT_SYSTEMS, type ImportSystem } from '@burgee/contract'
import { type ImportResult, importFiles, parseFile, UnreadableFile } from '@burgee/importers'
import { Argument, type Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { type CommandError, usageError } from '../command-error.ts'
import { applyImport } from '../import/apply-import.ts'
import { readImportFiles } from '../import/read-import-files.ts'
import { countClasses, reportPage } from '../import/report-page.ts'
import { writeImport } from '../import/write-import.ts'
import { table } from '../output/table.ts'

interface ImportSwitches {
  readonly environment?: string
  readonly out: string
  readonly attribute: readonly string[]
  readonly apply?: boolean
}

/** Adds `burgee import`: files of another service become files for `apply`, with a report. */
export function addImport(program: Command, context: CommandContext): void {
  program
    .command('import')
    .description('translate files of another service into files for apply, with a report (docs/import.md)')
    .addArgument(new Argument('<system>', 'service; goff is GO Feature Flag').choices([...IMPORT_SYSTEMS]))
    .argument('<files...>', 'its files: JSON, YAML or TOML')
    .option('--environment <name>', 'environment to read, or the name of the only one')
    .option('--out <folder>', 'folder for the files', '.')
    .option('--attribute <from=to...>', 'attribute of users that has another name in Burgee', [])
    .option('--apply', 'apply the flags to --env at once', false)
    .action(async (system: ImportSystem, files: readonly string[], switches: ImportSwitches) => {
      const result = translate(context, system, files, switches)
      if (switches.apply && result.environments.length !== 1) throw severalEnvironments(result)
      const written = writeImport(context, switches.out, {
        result,
        page: reportPage(result),
      })
      const applied = switches.apply ? await applyImport(context, result) : []
      const { system: name, flags, notes } = result.report
      context.print({ system: name, flags, notes, files: written, ...(switches.apply && { applied }) }, () =>
        [
          table(
            ['CLASS', 'FLAGS'],
            countClasses(result.report.flags).map(([label, count]) => [label, String(count)]),
          ),
          ...written.map((file) => `${file}\n`),
          ...applied.map(({ revision }) => `Applied. Revision ${revision}.\n`),
        ].join(''),
      )
    })
}

function translate(
  context: CommandContext,
  system: ImportSystem,
  files: readonly string[],
  { attribute, environment }: ImportSwitches,
): ImportResult {
  const attributes = new Map(attribute.map(readPair))
  const texts = readImportFiles(files, context.io.cwd)
  try {
    return importFiles(system, texts.map(parseFile), {
      attributes,
      ...(environment !== undefined && { environment }),
    })
  } catch (error) {
    if (error instanceof UnreadableFile) throw usageError(error.message)
    throw error
  }
}

function readPair(text: string): [string, string] {
  const [from, to, rest] = text.split('=')
  if (!from || !to || rest !== undefined)
    throw usageError(`--attribute ${text} is not of the form from=to, such as email=user_email.`)
  return [from, to]
}

const severalEnvironments = ({ environments }: ImportResult): CommandError => {
  const names = environments.map(({ environment }) => environment)
  return usageError(
    names.length === 0
      ? 'There is nothing to apply: every flag is skipped. Import without --apply and read the report.'
      : `The files have several environments. Name one with --environment: ${names.join(', ')}.`,
  )
}
