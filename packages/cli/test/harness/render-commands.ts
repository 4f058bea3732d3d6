import type { Command } from 'commander'

/** Returns the tables of all commands for docs/cli.md, in the groups and words of the help. */
export function renderCommands(program: Command): string {
  const headings = new Set(program.commands.map((command) => command.helpGroup()))
  return [...headings]
    .map((heading) => {
      const commands = program.commands.filter((command) => command.helpGroup() === heading)
      const sections = commands.flatMap((command) => leaves(command, [command.name()])).map(render)
      return `### ${heading.replace(/:$/, '')}\n\n${sections.join('\n')}`
    })
    .join('\n')
}

function render({ command, path }: Leaf): string {
  const usage = [
    'burgee',
    ...path,
    ...command.registeredArguments.map((one) => argument(one.name(), one.required, one.variadic)),
  ]
  const help = command.createHelp()
  const inputs = [
    ...command.registeredArguments.map((one) => [
      argument(one.name(), one.required, one.variadic),
      help.argumentDescription(one),
    ]),
    ...command.options.map((option) => [option.flags, help.optionDescription(option)]),
  ].map(([name, description]) => `| \`${name}\` | ${description} |\n`)
  const rows = inputs.length === 0 ? '' : `\n| argument or option | |\n|---|---|\n${inputs.join('')}`
  return `#### ${path.join(' ')}\n\n\`${usage.join(' ')}\`: ${command.description()}.\n${rows}`
}

const argument = (name: string, isRequired: boolean, isVariadic: boolean): string => {
  const text = isVariadic ? `${name}...` : name
  return isRequired ? `<${text}>` : `[${text}]`
}

interface Leaf {
  readonly command: Command
  readonly path: readonly string[]
}

function leaves(command: Command, path: readonly string[]): Leaf[] {
  if (command.commands.length === 0) return [{ command, path }]
  return command
    .createHelp()
    .visibleCommands(command)
    .flatMap((child) => leaves(child, [...path, child.name()]))
}
