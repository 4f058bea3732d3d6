import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { EXIT } from '../exit-codes.ts'
import { runServerProgram } from '../server/run-server-program.ts'

interface ServerOptions {
  readonly dataDir?: string
}

/** Adds `burgee serve`, `backup` and `restore`: the programs of the server that is installed beside. */
export function addServer(program: Command, context: CommandContext): void {
  const add = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .option('--data-dir <folder>', 'folder of the embedded database (DATA_DIR)')
  const settingsOf = ({ dataDir }: ServerOptions) =>
    dataDir === undefined ? {} : { DATA_DIR: resolve(context.io.cwd, dataDir) }
  /** Runs a program that prints text by itself; other forms of its result are those of the command. */
  const administrate = async (args: readonly string[], options: ServerOptions, result: () => object) => {
    const isText = context.options().output === 'text'
    const code = await runServerProgram(context.io, 'admin', args, settingsOf(options), isText)
    if (code === EXIT.done && !isText) context.print(result(), '')
    context.endWith(code)
  }

  add('serve', 'run the server that is installed here, with its settings from the environment').action(
    async (options: ServerOptions) => {
      context.endWith(await runServerProgram(context.io, 'main', [], settingsOf(options)))
    },
  )
  add('backup', 'write a backup of the embedded database to a new file, also while the server runs')
    .argument('<file>', 'a file that does not exist yet')
    .action(async (file: string, options: ServerOptions) => {
      const path = resolve(context.io.cwd, file)
      await administrate(['backup', path], options, () => ({ file: path, bytes: statSync(path).size }))
    })
  add('restore', 'restore a backup, all or nothing, while the server is stopped')
    .argument('<file>', 'a file of burgee backup')
    .option('--replace', 'keep the database that is there aside, and restore into its place', false)
    .action(async (file: string, { replace, ...options }: ServerOptions & { readonly replace: boolean }) => {
      const path = resolve(context.io.cwd, file)
      const args = ['restore', path, ...(replace ? ['--replace'] : [])]
      await administrate(args, options, () => ({ file: path }))
    })
}
