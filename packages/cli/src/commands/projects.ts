import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'

/** Adds `burgee projects` and `burgee envs`: what --project and --env can name. */
export function addProjects(program: Command, context: CommandContext): void {
  program
    .command('projects')
    .description('list the projects that the token sees')
    .action(async () => {
      const projects = await context.api().call('listProjects', {})
      context.print(projects, () =>
        context.table(
          ['PROJECT', 'NAME'],
          projects.map(({ slug, name }) => [slug, name]),
        ),
      )
    })
  program
    .command('envs')
    .description('list the environments of the project')
    .action(async () => {
      const { id } = await context.project()
      const environments = await context.api().call('listEnvironments', { params: { project_id: id } })
      context.print(environments, () =>
        context.table(
          ['ENVIRONMENT', 'NAME', 'APPROVAL'],
          environments.map(({ slug, name, require_approval }) => [
            slug,
            name,
            require_approval ? 'yes' : 'no',
          ]),
        ),
      )
    })
}
