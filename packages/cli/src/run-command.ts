import { Command, CommanderError } from 'commander'
import { createContext, type GlobalOptions } from './command-context.ts'
import { CommandError, usageError } from './command-error.ts'
import { COMMAND_GROUPS } from './commands/index.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { explainSystemError } from './files/file-problem.ts'
import { describeUsageError, pathOf } from './output/describe-usage-error.ts'
import { HELP_TEXTS, listOf } from './output/help-texts.ts'
import { colorsOf, type Io, outputFormsOf, printable } from './output/output.ts'

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
    .option('-o, --output <form>', 'form of the result: text, json or yaml; also junit for test', 'text')
    .option('-q, --quiet', 'print results and errors only: nothing where a command only does something')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
    })
    .configureHelp(HELP_TEXTS)
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .hook('preAction', (_, action) => {
      const { output } = program.opts<GlobalOptions>()
      refuseEmpty(action)
      const forms = outputFormsOf(action.name())
      if (!forms.includes(output))
        throw usageError(`-o ${output} is no form of ${pathOf(action)}. Choose ${listOf(forms)}.`)
    })
  const context = createContext(io, () => program.opts<GlobalOptions>(), endWith)
  for (const [heading, commands] of COMMAND_GROUPS) {
    program.commandsGroup(heading)
    for (const add of commands) add(program, context)
  }
  describeErrors(program, io)
  return program
}

/** The options whose values may come from the environment instead. */
const VARIABLES: Readonly<Record<string, string>> = {
  url: 'BURGEE_URL',
  token: 'BURGEE_TOKEN',
  project: 'BURGEE_PROJECT',
  env: 'BURGEE_ENV',
  sdkKey: 'BURGEE_SDK_KEY',
}

/** Refuses an empty value, such as that of a variable that a pipeline lacks: another one is not meant. */
function refuseEmpty(action: Command): void {
  const options: Readonly<Record<string, unknown>> = action.optsWithGlobals()
  for (const [name, variable] of Object.entries(VARIABLES)) {
    const value = options[name]
    if (typeof value === 'string' && value.trim() === '')
      throw usageError(
        `--${name === 'sdkKey' ? 'sdk-key' : name} is empty. Give a value, or set ${variable}.`,
      )
  }
}

/** Returns the environment without the settings of the command that are empty, which count as absent. */
const withoutEmpty = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(([name, value]) => !(name.startsWith('BURGEE_') && value?.trim() === '')),
  )

/** Prints the errors of the parser like every other one, with the command that they are about. */
function describeErrors(command: Command, io: Io): void {
  const { red } = colorsOf(io.env, io.stderr)
  command.configureOutput({
    outputError: (text, write) => write(`${red('Error:')} ${printable(describeUsageError(command, text))}`),
  })
  for (const child of command.commands) describeErrors(child, io)
}

/** Runs a command line, without the node and script in front, and returns its exit code. */
export async function runCommand(args: readonly string[], given: Io, version: string): Promise<ExitCode> {
  const io = { ...given, env: withoutEmpty(given.env) }
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

/** Prints a failure, and returns its exit code. */
export function report(error: unknown, io: Pick<Io, 'env' | 'stderr'>): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  const { red } = colorsOf(io.env, io.stderr)
  const failure = error instanceof CommandError ? error : (explainSystemError(error) ?? unexpected(error, io))
  io.stderr.write(`${red('Error:')} ${printable(failure.message)}\n`)
  for (const line of failure.details) io.stderr.write(`  ${printable(line)}\n`)
  return failure.exitCode
}

const MESSAGE_MAX_LENGTH = 500

/** Describes a fault of the command itself, with its stack where BURGEE_DEBUG is set. */
function unexpected(error: unknown, { env }: Pick<Io, 'env'>): CommandError {
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  const stack = error instanceof Error ? error.stack?.split('\n').slice(1) : undefined
  return new CommandError(
    `This is a fault of burgee: ${message.slice(0, MESSAGE_MAX_LENGTH)}`,
    EXIT.failed,
    env.BURGEE_DEBUG
      ? stack
      : ['BURGEE_DEBUG=1 prints its place in the code. Report it with the command line.'],
  )
}
