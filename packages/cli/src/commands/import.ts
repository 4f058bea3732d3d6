import { IMPORT_SYSTEMS, type ImportSystem } from '@burgee/contract'
import {
  changesSince,
  type FileText,
  type ImportResult,
  importFiles,
  parseFile,
  UnreadableFile,
  withoutTimed,
} from '@burgee/importers'
import { Argument, type Command, InvalidArgumentError } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { type CommandError, usageError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import { applyImport } from '../import/apply-import.ts'
import { editedText } from '../import/find-edited.ts'
import { readImportFiles } from '../import/read-import-files.ts'
import { countClasses, reportPage } from '../import/report-page.ts'
import { engineOf, verificationText, verifyExact } from '../import/verify-import.ts'
import { writeImport } from '../import/write-import.ts'

interface ImportSwitches {
  readonly environment?: string
  readonly out: string
  readonly attribute: readonly string[]
  readonly since: readonly string[]
  readonly partial?: boolean
  readonly apply?: boolean
  readonly verify?: number
}

/** Adds `burgee import`: files of another service become files for `apply`, with a report. */
export function addImport(program: Command, context: CommandContext): void {
  program
    .command('import')
    .description('translate files of another service into files for apply, with a report (docs/import.md)')
    .addArgument(
      new Argument('<system>', 'the other service, goff for GO Feature Flag').choices([...IMPORT_SYSTEMS]),
    )
    .argument('<files...>', 'files of that service: JSON, YAML or TOML')
    .option('--environment <name>', 'environment to read, or the name of the only one')
    .option('--out <folder>', 'folder for the files', '.')
    .option('--attribute <from=to...>', 'attribute of users that has another name in Burgee', [])
    .option('--since <files...>', 'files of the last import: import only what changed after them', [])
    .option('--partial', 'read pages of a longer list as they are, with a note', false)
    .option('--apply', 'apply the flags to --env at once', false)
    .option('--verify <n>', "compare the exact flags with the service's own engine for n users", readCount)
    .action(async (system: ImportSystem, paths: readonly string[], switches: ImportSwitches) => {
      if (switches.verify !== undefined) engineOf(system)
      const files = readImportFiles(paths, context.io.cwd)
      const whole = translate(system, files, switches)
      const earlier = translateEarlier(system, switches, context.io.cwd)
      const result = earlier ? changesSince(earlier, whole) : whole
      if (switches.apply && result.environments.length !== 1) throw severalEnvironments(result)
      const verification = await verifyWanted(context, { system, files, switches })
      const written = writeImport(context, switches.out, {
        result,
        page: reportPage(result),
      })
      // What differs is not applied: the files and the report are there to look at.
      const isApplied = switches.apply && !verification?.differs
      if (verification?.differs) context.endWith(EXIT.failed)
      const { applied, edited } = isApplied
        ? await applyImport(context, result, earlier)
        : { applied: [], edited: [] }
      const { system: name, flags, notes } = result.report
      const output = {
        ...{ system: name, flags, notes, files: written },
        ...(isApplied && { applied }),
        ...(isApplied && earlier && { edited }),
        ...(verification && { verified: verification.verified, not_compared: verification.notCompared }),
      }
      context.print(output, () =>
        [
          context.table(
            ['CLASS', 'FLAGS'],
            countClasses(result.report.flags).map(([label, count]) => [label, String(count)]),
          ),
          ...written.map((file) => `${file}\n`),
          ...applied.map(({ revision }) => `Applied. Revision ${revision}.\n`),
          editedText(edited),
          verification?.text ?? '',
        ].join(''),
      )
    })
}

function translate(
  system: ImportSystem,
  files: readonly FileText[],
  { attribute, environment, partial = false }: Pick<ImportSwitches, 'attribute' | 'environment' | 'partial'>,
): ImportResult {
  const attributes = new Map(attribute.map(readPair))
  try {
    return importFiles(system, files.map(parseFile), {
      attributes,
      isPartial: partial,
      ...(environment !== undefined && { environment }),
    })
  } catch (error) {
    if (error instanceof UnreadableFile) throw usageError(error.message)
    throw error
  }
}

/** Translates the files of the last import; null without any. */
function translateEarlier(system: ImportSystem, switches: ImportSwitches, cwd: string): ImportResult | null {
  if (switches.since.length === 0) return null
  return withoutTimed(translate(system, readImportFiles(switches.since, cwd), switches))
}

interface Wanted {
  readonly system: ImportSystem
  readonly files: readonly FileText[]
  readonly switches: ImportSwitches
}

/** Verifies where --verify is given. The engine knows attributes by their old names only. */
async function verifyWanted(context: CommandContext, { files, switches, system }: Wanted) {
  const { environment, verify: count } = switches
  if (count === undefined) return null
  const imported = translate(system, files, { ...switches, attribute: [] })
  const verification = await verifyExact(context, {
    ...{ system, environment, imported, count },
    files: files.map(parseFile),
  })
  const { flags, notCompared } = verification
  const differs = flags.some(({ differences }) => differences > 0)
  return { verified: flags, notCompared, differs, text: verificationText(context, verification, count) }
}

const USERS_MAX = 1_000_000

function readCount(text: string): number {
  const count = Number(text)
  if (/^[0-9]+$/.test(text) && count >= 1 && count <= USERS_MAX) return count
  throw new InvalidArgumentError(`It is a number from 1 to ${USERS_MAX}.`)
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
