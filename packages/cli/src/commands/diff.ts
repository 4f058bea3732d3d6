import type { EndpointBody, Environment } from '@burgee/contract'
import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { usageError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import { printable } from '../output/output.ts'
import { reportChange } from '../output/report-change.ts'
import { findEnvironment } from '../scope/find-scope.ts'

export interface BetweenOptions {
  readonly from: string
  readonly to: string
}
interface PromoteOptions extends BetweenOptions {
  readonly copySegments?: boolean
  readonly comment?: string
}

/** Adds `burgee diff`: what differs between two environments of a project. */
export function addDiff(program: Command, context: CommandContext): void {
  program
    .command('diff')
    .description('compare the flags of two environments')
    .requiredOption('--from <slug>', 'the environment to compare')
    .requiredOption('--to <slug>', 'the environment to compare it with')
    .option('--exit-code', 'end with 3 when there are differences')
    .action(async ({ exitCode, ...between }: BetweenOptions & { readonly exitCode?: boolean }) => {
      const { project, source, target } = await findBoth(context, between)
      const params = { project_id: project.id }
      const query = { source: source.id, target: target.id }
      const comparison = await context.api().call('compareFlags', { params, query })
      const differing = comparison.flags.filter(({ status }) => status !== 'same')
      context.print(comparison, () => describe(differing, source, target))
      if (exitCode && differing.length > 0) context.endWith(EXIT.differences)
    })
}

/** Adds `burgee promote`: a flag of one environment in another. */
export function addPromote(program: Command, context: CommandContext): void {
  program
    .command('promote')
    .description('copy a flag to another environment')
    .argument('<key>', 'key of the flag')
    .requiredOption('--from <slug>', 'the environment to copy from')
    .requiredOption('--to <slug>', 'the environment to copy to')
    .option('--copy-segments', 'copy the segments that the target lacks')
    .option('--comment <text>', 'the reason, for history and audit')
    .action(async (key: string, { copySegments = false, comment, ...between }: PromoteOptions) => {
      const { source, target } = await findBoth(context, between)
      const reply = await context.api().send('promoteFlag', {
        params: { env_id: source.id, key },
        body: {
          target_env_id: target.id,
          copy_segments: copySegments,
          ...(comment !== undefined && { comment }),
        },
      })
      reportChange(context, reply, `${key} is promoted from ${source.slug} to ${target.slug}.`)
    })
}

/** Returns the project and the two environments that the options name. */
export async function findBoth(context: CommandContext, { from, to }: BetweenOptions) {
  const { env } = context.options()
  if (env !== undefined)
    throw usageError(`--env names ${env}, and --from and --to name ${from} and ${to}. Leave --env out.`)
  const project = await context.project()
  const api = context.api()
  const source = await findEnvironment(api, project, from)
  return { project, source, target: await findEnvironment(api, project, to) }
}

type Compared = EndpointBody<'compareFlags'>['flags']

function describe(flags: Compared, source: Environment, target: Environment): string {
  if (flags.length === 0) return `${source.slug} and ${target.slug} have the same flags.\n`
  const lines = flags.flatMap(({ key, status, changes }) => {
    if (status === 'only_in_source') return [`+ ${key}: only in ${source.slug}`]
    if (status === 'only_in_target') return [`- ${key}: only in ${target.slug}`]
    return [
      `~ ${key}`,
      ...changes.map(
        (change) => `    ${change.path}: ${JSON.stringify(change.source)} | ${JSON.stringify(change.target)}`,
      ),
    ]
  })
  return lines.map((line) => `${printable(line)}\n`).join('')
}
