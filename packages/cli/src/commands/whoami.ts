import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { printable } from '../output/output.ts'

/** Adds `burgee whoami`. */
export function addWhoami(program: Command, context: CommandContext): void {
  program
    .command('whoami')
    .description('say who the token belongs to, and on which server')
    .action(async () => {
      const user = await context.api().call('getCurrentUser', {})
      context.print({ url: context.url(), ...user }, () =>
        printable(`${user.name} (${user.email}), ${context.url()}\n`),
      )
    })
}
