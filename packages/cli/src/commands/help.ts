import type { Command } from 'commander'

/** Adds `burgee help`, also to the commands that have others: an unknown name is a usage error. */
export function addHelp(program: Command): void {
  for (const parent of [program, ...program.commands.filter(({ commands }) => commands.length > 0)])
    parent
      .command('help', { hidden: parent !== program })
      .description('print the help of a command')
      .argument('[command...]', 'its name, such as plan or flags list; none for the list of all')
      .action((names: readonly string[]) => findCommand(parent, names).help())
}

function findCommand(parent: Command, [name, ...rest]: readonly string[]): Command {
  if (name === undefined) return parent
  const found = parent.commands.find((child) => child.name() === name)
  return found === undefined ? parent.error(`error: unknown command '${name}'`) : findCommand(found, rest)
}
