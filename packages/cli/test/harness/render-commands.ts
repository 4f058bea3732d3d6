import type { Command } from 'commander'

/** Returns the tables of all commands for docs/cli.md. */
export function renderCommands(program: Command): string {
  return leaves(program, [])
    .map(({ command, path }) => {
      const usage = [
        'burgee',
        ...path,
        ...command.registeredArguments.map((one) => argument(one.name(), one.required, one.variadic)),
      ]
      const options = command.options.map(({ flags, description }) => `| \`${flags}\` | ${description} |\n`)
      const rows = options.length === 0 ? '' : `\n| option | |\n|---|---|\n${options.join('')}`
      return `### ${path.join(' ')}\n\n\`${usage.join(' ')}\`: ${command.description()}.\n${rows}`
    })
    .join('\n')
}

const argument = (name: string, isRequired: boolean, isVariadic: boolean): string => {
  const text = isVariadic ? `${name}...` : name
  return isRequired ? `<${text}>` : `[${text}]`
}

function leaves(command: Command, path: readonly string[]): { command: Command; path: readonly string[] }[] {
  const children = command.commands.flatMap((child) => leaves(child, [...path, child.name()]))
  return path.length === 0 || command.commands.length > 0 ? children : [{ command, path }]
}
