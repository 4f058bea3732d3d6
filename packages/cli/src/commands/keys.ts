import type { EndpointBody } from '@burgee/contract'
import { type Command, Option } from 'commander'
import { listAll } from '../api/list-all.ts'
import type { CommandContext } from '../command-context.ts'

interface CreateOptions {
  readonly kind: 'server' | 'reader' | 'client'
}

/** Adds `burgee keys`: the SDK keys of the project. */
export function addKeys(program: Command, context: CommandContext): void {
  const keys = program.command('keys').description('list and create SDK keys')
  keys
    .command('list')
    .description('list the SDK keys of the project, without their secrets')
    .action(async () => {
      const project = await context.project()
      const found = await listAll(context.api(), 'listSdkKeys', { params: { project_id: project.id } })
      const environments = await context
        .api()
        .call('listEnvironments', { params: { project_id: project.id } })
      const slugs = new Map(environments.map(({ id, slug }) => [id, slug]))
      const rows = found.map((key) => rowOf(key, slugs))
      context.print(found, () => context.table(['KEY', 'KIND', 'ENVIRONMENT', 'LAST USED'], rows))
    })
  keys
    .command('create')
    .description('create a key for the environment; its secret is printed once')
    .argument('<name>', 'name of the key')
    .addOption(new Option('--kind <kind>', 'kind of the key').choices(KINDS).default('reader'))
    .action(async (name: string, { kind }: CreateOptions) => {
      const { id: project_id } = await context.project()
      const { id: environment_id } = await context.environment()
      const body = { name, environment_id, kind }
      const created = await context.api().call('createSdkKey', { params: { project_id }, body })
      context.print(created, () => `${created.key}\n`)
    })
}

const KINDS: readonly CreateOptions['kind'][] = ['server', 'reader', 'client']

const rowOf = (
  { name, kind, environment_id, last_used_at }: EndpointBody<'listSdkKeys'>[number],
  slugs: ReadonlyMap<string, string>,
) => [name, kind, slugs.get(environment_id) ?? environment_id, last_used_at ?? 'never']
