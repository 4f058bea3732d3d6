import type { Command } from 'commander'
import { ApiError } from '../api/api-error.ts'
import type { CommandContext } from '../command-context.ts'
import { printable } from '../output/output.ts'
import { findSdkKey } from '../scope/find-sdk-key.ts'

/** Adds `burgee whoami`. */
export function addWhoami(program: Command, context: CommandContext): void {
  program
    .command('whoami')
    .description('print the owner of the token, or what an SDK key may do, and the server')
    .action(async () => {
      const [api, url] = [context.api(), context.url()]
      try {
        const user = await api.call('getCurrentUser', {})
        context.print({ url, ...user }, () => printable(`${user.name} (${user.email}), ${url}\n`))
      } catch (error) {
        // An SDK key belongs to no user.
        const key = error instanceof ApiError && error.status === 401 ? await findSdkKey(api) : null
        if (key === null) throw error
        const { text, ...fields } = key
        context.print({ url, ...fields }, () => printable(`${text} ${url}\n`))
      }
    })
}
