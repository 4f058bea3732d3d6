import { Command, CommanderError, Option } from 'commander'
import { createContext, type GlobalOptions } from './command-context.ts'
import { CommandError, usageError } from './command-error.ts'
import { COMMANDS } from './commands/index.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { coloursOf, type Io, OUTPUT_FORMS, printable } from './output/output.ts'

/** Returns the program with all commands, before it reads a command line. */
export function createProgram(io: Io, version: string, endWith: (code: ExitCode) => void): Command {
  const program = new Command('burgee')
    .description('Feature flags of a Burgee server, from a shell or a pipeline.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print the help')
    .option('--url <url>', 'address of the server (BURGEE_URL)')
    .option('--token <token>', 'personal token, or a server key for its own environment (BURGEE_TOKEN)')
    .option('--project <slug>', 'project (BURGEE_PROJECT)')
    .option('--env <slug>', 'environment (BURGEE_ENV)')
    .addOption(new Option('-o, --output <form>', 'form of the result').choices(OUTPUT_FORMS).default('text'))
    .option('-q, --quiet', 'print results and errors only', false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
    })
    .showSuggestionAfterError()
    .showHelpAfterError('(burgee --help lists the commands and their options)')
  program.hook('preAction', (_, action) => {
    if (program.opts<GlobalOptions>().output === 'junit' && action.name() !== 'test')
      throw usageError('Only burgee test writes junit. Choose text, json or yaml.')
  })
  const context = createContext(io, () => program.opts<GlobalOptions>(), endWith)
  for (const add of COMMANDS) add(program, context)
  return program
}

/** Runs a command line, without the node and script in front, and returns its exit code. */
export async function runCommand(args: readonly string[], io: Io, version: string): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done
  const program = createProgram(io, version, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    return report(error, io)
  }
}

/** Prints a failure, and returns its exit code. An unexpected one keeps its stack. */
function report(error: unknown, io: Io): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  const { red } = coloursOf(io.env, io.stderr)
  if (!(error instanceof CommandError)) {
    io.stderr.write(
      `${red('Error:')} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
    return EXIT.failed
  }
  io.stderr.write(`${red('Error:')} ${printable(error.message)}\n`)
  for (const line of error.details) io.stderr.write(`  ${printable(line)}\n`)
  return error.exitCode
}
