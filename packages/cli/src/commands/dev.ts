import { resolve } from 'node:path'
import { createLocalEnvironment, type LocalEnvironment } from '@burgee/server/offline'
import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { CommandError, usageError } from '../command-error.ts'
import { type ChosenDocuments, chooseDocuments } from '../dev/choose-documents.ts'
import { serveFlags } from '../dev/serve-flags.ts'
import { watchFiles } from '../dev/watch-files.ts'
import { explainProblems } from '../files/explain-problems.ts'
import { readApplyFiles } from '../files/read-files.ts'
import { countOf } from '../output/count-of.ts'
import { printable } from '../output/output.ts'

interface DevOptions {
  readonly file: readonly string[]
  readonly host: string
  readonly port: string
  readonly clientKeys: boolean
}

const PORT_MAX = 65_535
const KEYS_SHOWN = 10

/** Adds `burgee dev`: flags of files for the programs on this machine, without a server. */
export function addDev(program: Command, context: CommandContext): void {
  program
    .command('dev')
    .description('serve the flags of files to SDKs on this machine, and follow edits; for development')
    .requiredOption('-f, --file <file...>', 'files of flags, as burgee export writes them')
    .option('--port <number>', 'port, 0 for a free one', '3000')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--client-keys', 'treat callers as having client keys: no flags with client_visible false', false)
    .action(async ({ clientKeys, file, host, port }: DevOptions) => {
      const environment = createLocalEnvironment(clientKeys ? 'client' : 'server')
      const loaded = await load(context, environment, file)
      const server = await serveFlags(environment, { host, port: readPort(port) })
      const { flagCount, name } = loaded
      context.print({ url: server.url, environment: name, flags: flagCount }, () => {
        const of = name === '' ? '' : ` of ${printable(name)}`
        return [
          `Serving ${countOf(flagCount, 'flag')}${of} at ${server.url}. Any SDK key is accepted.`,
          'Edits of the files are sent at once. Reports of programs are not kept. Ctrl+C ends it.',
          '',
        ].join('\n')
      })
      let reading = Promise.resolve()
      const paths = file.map((path) => resolve(context.io.cwd, path))
      const unwatch = watchFiles(paths, () => {
        reading = reading.then(() => reload(context, environment, file))
      })
      await context.io.untilStopped()
      unwatch()
      await reading
      await server.close()
    })
}

function readPort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > PORT_MAX)
    throw usageError(`--port ${text} is no port. Give a number from 0 to ${PORT_MAX}.`)
  return port
}

async function load(context: CommandContext, environment: LocalEnvironment, files: readonly string[]) {
  const { environment: ofEnvironment, project } = context.names()
  const chosen = chooseDocuments(readApplyFiles(files, context.io.cwd), {
    project: project?.name,
    environment: ofEnvironment?.name,
  })
  const result = await environment.replace(valuesOf(chosen))
  if ('problems' in result)
    throw usageError('The files are invalid.', explainProblems(chosen, result.problems))
  return { name: chosen.name, ...result }
}

const valuesOf = ({ flags, segments }: ChosenDocuments) => ({
  flags: flags.map(({ value }) => value),
  segments: segments.map(({ value }) => value),
})

/** Reads the files again. Those that cannot be used leave the flags as they are. */
async function reload(
  context: CommandContext,
  environment: LocalEnvironment,
  files: readonly string[],
): Promise<void> {
  try {
    const { changed } = await load(context, environment, files)
    if (changed.length === 0) return
    const shown = changed.slice(0, KEYS_SHOWN).map(printable).join(', ')
    context.remark(
      `Changed: ${shown}${changed.length > KEYS_SHOWN ? `, and ${changed.length - KEYS_SHOWN} more` : ''}`,
    )
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const lines = [
      `${error.message} The last flags stay in use.`,
      ...error.details.map((line) => `  ${line}`),
    ]
    context.io.stderr.write(`${printable(lines.join('\n'))}\n`)
  }
}
