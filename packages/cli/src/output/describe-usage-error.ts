import type { Command } from 'commander'
import { nearestName } from '../files/nearest-name.ts'

const UNKNOWN_COMMAND = /^error: unknown command '(.*)'/
const UNKNOWN_OPTION = /^error: unknown option '(.*)'/

/** Describes an error of the parser of command lines: a sentence, a near name, and where the help is. */
export function describeUsageError(command: Command, text: string): string {
  const line = text
    .trim()
    .replace(/^error: /, '')
    .replace(/ argument missing$/, ' needs a value')
  const sentence = `${line.charAt(0).toUpperCase()}${line.slice(1)}${/[.?]$/.test(line) ? '' : '.'}`
  const [names, given] = namesOf(command, text)
  const near = given === undefined ? null : nearestName(given, names)
  const meant = near === null ? '' : ` Did you mean ${near}?`
  return `${sentence}${meant}\n  ${pathOf(command)} --help lists its ${command.commands.length > 0 ? 'commands' : 'options'}.\n`
}

/** Returns the names that could have been meant, and the name that was given. */
function namesOf(command: Command, text: string): [readonly string[], string | undefined] {
  const wrong = UNKNOWN_COMMAND.exec(text)?.[1]
  if (wrong !== undefined) return [command.commands.map((child) => child.name()), wrong]
  const options = [command, ...ancestorsOf(command)].flatMap((each) => each.options)
  return [options.flatMap(({ long }) => long ?? []), UNKNOWN_OPTION.exec(text)?.[1]]
}

function ancestorsOf({ parent }: Command): Command[] {
  return parent === null ? [] : [parent, ...ancestorsOf(parent)]
}

/** Returns the words of a command, with those above it: `burgee flags list`. */
export const pathOf = (command: Command): string =>
  [command, ...ancestorsOf(command)]
    .map((each) => each.name())
    .reverse()
    .join(' ')
