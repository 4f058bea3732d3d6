import { createMcpServer, type ToolApi, ToolError } from '@burgee/mcp'
import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { CommandError, usageError } from '../command-error.ts'

interface McpOptions {
  readonly write: boolean
  readonly environments?: string
}

/** Adds `burgee mcp`: the tools for coding agents, over standard input and output. */
export function addMcp(program: Command, context: CommandContext): void {
  program
    .command('mcp')
    .description('serve the tools for coding agents (MCP) on standard input and output')
    .option('--write', 'also offer tools that change flags', false)
    .option(
      '--environments <list>',
      'environments that tools may change, such as shop/staging or staging, comma separated',
    )
    .action(async ({ environments = '', write }: McpOptions) => {
      const named = environments.split(',').flatMap((name) => name.trim() || [])
      if (write && named.length === 0)
        throw usageError('--write needs --environments, such as shop/staging: nothing else is ever written.')
      const { env } = context.options()
      if (env !== undefined)
        throw usageError(
          `--env names ${env}, and the tools look at every environment. Name those that they may change with --environments.`,
        )
      const project = context.names().project
      if (project) requireWithin(project.name, project.source, named)
      // Only this command needs the library of the protocol.
      const [sdk, stdio] = await Promise.all([
        import('@modelcontextprotocol/server'),
        import('@modelcontextprotocol/server/stdio'),
      ])
      const { stdin, stdout } = context.io
      const api = toToolApi(context)
      const version = program.version() ?? ''
      const of = project ? `the project ${project.name} of ${context.url()}` : context.url()
      context.remark(`Serving tools of ${of} for agents${write ? '' : ', which only read'}.`)
      // The library wants whole streams; those of a process and of the tests are.
      const transport = new stdio.StdioServerTransport(stdin as never, stdout as never)
      const isClosed = new Promise<void>((resolve) => {
        stdin.once('end', resolve)
        stdin.once('close', resolve)
      })
      const serving = stdio.serveStdio(
        () =>
          createMcpServer({
            ...{ sdk, api, version, mayWrite: write, environments: named },
            project: project?.name,
          }),
        { transport },
      )
      await isClosed
      await serving.close()
    })
}

/** An id in place of a slug: whether it is that of the named project is known on the server only. */
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Refuses environments of another project than that of the tools. */
function requireWithin(project: string, source: string, environments: readonly string[]): void {
  if (ID.test(project)) return
  for (const name of environments) {
    const [of, environment] = name.split('/')
    if (environment !== undefined && of !== project)
      throw usageError(`--environments names ${name}, and ${source} names the project ${project}.`)
  }
}

/** Returns the endpoints with the login of the command. */
function toToolApi(context: CommandContext): ToolApi {
  const send: ToolApi['send'] = async (name, input, { headers, ifMatch } = {}) => {
    const options = {
      headers: { ...headers, 'x-burgee-origin': 'mcp' },
      ...(ifMatch !== undefined && { ifMatch }),
    }
    try {
      const reply = await context.api().send(name, input, options)
      return { body: reply.body, header: (wanted) => reply.headers.get(wanted) }
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      throw new ToolError([error.message, ...error.details].join(' '))
    }
  }
  return { send, call: async (name, input, options) => (await send(name, input, options)).body }
}
