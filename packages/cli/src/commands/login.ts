import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { createApi } from '../api/create-api.ts'
import { type CommandContext, givenToken } from '../command-context.ts'
import { usageError } from '../command-error.ts'
import { printable } from '../output/output.ts'
import { checkToken } from '../settings/check-token.ts'
import { deleteCredentials, writeCredentials } from '../settings/credentials.ts'

/** Adds `burgee login` and `burgee logout`. */
export function addLogin(program: Command, context: CommandContext): void {
  program
    .command('login')
    .description('store a personal token for a server (--token, BURGEE_TOKEN, or pasted)')
    .action(async () => {
      const url = context.url()
      const given = givenToken(context.options(), context.io.env)
      const token = given ?? checkToken(await askForToken(context, url), 'The pasted text')
      if (token === '') throw usageError('The token is empty.')
      const user = await createApi(url, token).call('getCurrentUser', {})
      const file = writeCredentials(context.io.env, { url, token })
      context.report({ url, file, ...user }, () =>
        printable(`Signed in to ${url} as ${user.name} (${user.email}). The token is in ${file}.\n`),
      )
    })
  program
    .command('logout')
    .description('forget the stored token (it stays valid until it is revoked in the dashboard)')
    .action(() => {
      const wasStored = deleteCredentials(context.io.env)
      context.remark(
        wasStored ? 'The stored token is deleted from this machine.' : 'There was no stored token.',
      )
    })
}

async function askForToken({ io }: CommandContext, url: string): Promise<string> {
  if (io.stderr.isTTY === true)
    io.stderr.write(`Create a token at ${url}/ (your name, Access tokens) and paste it here: `)
  const lines = createInterface({ input: io.stdin })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
  }
}
