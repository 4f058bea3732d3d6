import { type Argument, type Command, Help, type Option } from 'commander'

/** The texts of the help: choices once and in words, and no default that only means that nothing is given. */
export const HELP_TEXTS: Partial<Help> = {
  showGlobalOptions: true,
  visibleGlobalOptions,
  optionDescription: describeValue,
  argumentDescription: describeValue,
}

/** Returns the options of the program for the help of a command, which has no version of its own. */
function visibleGlobalOptions(this: Help, command: Command): Option[] {
  return Help.prototype.visibleGlobalOptions.call(this, command).filter(({ long }) => long !== '--version')
}

function describeValue({
  argChoices,
  defaultValue,
  description,
}: Pick<Option & Argument, 'argChoices' | 'defaultValue' | 'description'>): string {
  const choices = argChoices === undefined ? '' : `: ${listOf(argChoices)}`
  const shown = typeof defaultValue === 'string' ? ` (default: ${defaultValue})` : ''
  return `${description}${choices}${shown}`
}

/** Returns words as a sentence lists them: `a, b or c`. */
export const listOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
