import type { Argument, Command, Option } from 'commander'
import { outputFormsOf } from '../output/output.ts'

/**
 * The values of an option or argument, as the scripts read it: `text` for anything, `file`, `folder`, or
 * `words` and the choices, each with `...` where several may follow. Empty for an option without a value.
 */
type Values = string

interface OptionWords {
  /** The forms of the option, `-f` and `--file`. */
  readonly names: readonly string[]
  readonly values: Values
}

/** The words that can follow a command. */
export interface CommandWords {
  /** The names of the command and those above it, without the program: `flags list`. */
  readonly path: string
  readonly subcommands: readonly string[]
  readonly options: readonly OptionWords[]
  readonly arguments: readonly Values[]
}

/** Returns the words of every command of the program, which is the first one. */
export function listCommandWords(program: Command): CommandWords[] {
  const visit = (command: Command, path: readonly string[]): CommandWords[] => [
    {
      path: path.join(' '),
      subcommands: command
        .createHelp()
        .visibleCommands(command)
        .map((child) => child.name()),
      options: [...command.options, ...(path.length === 0 ? [] : program.options)].map((option) => ({
        names: [option.short, option.long].filter((name) => name !== undefined),
        values: option.long === '--output' ? formsOf(command) : valuesOfOption(option),
      })),
      arguments: command.registeredArguments.map(valuesOfArgument),
    },
    ...command.commands.flatMap((child) => visit(child, [...path, child.name()])),
  ]
  return visit(program, [])
}

const formsOf = (command: Command): Values => `words ${outputFormsOf(command.name()).join(' ')}`

function valuesOfOption({ argChoices, flags, optional, required, variadic }: Option): Values {
  if (!required && !optional) return ''
  return valuesOf(/[<[]([\w-]+)/.exec(flags)?.[1] ?? '', argChoices, variadic)
}

const valuesOfArgument = (argument: Argument): Values =>
  valuesOf(argument.name(), argument.argChoices, argument.variadic)

const FILES = ['file', 'files', 'export']
const FOLDERS = ['folder']

function valuesOf(name: string, choices: readonly string[] | undefined, isVariadic: boolean): Values {
  const more = isVariadic ? '...' : ''
  if (choices !== undefined) return `words${more} ${choices.join(' ')}`
  if (FILES.includes(name)) return `file${more}`
  return `${FOLDERS.includes(name) ? 'folder' : 'text'}${more}`
}

/** Returns the long forms, which state what they are. */
export const longNames = (options: readonly OptionWords[]): string =>
  [...new Set(options.map(({ names }) => names.at(-1)))].join(' ')
