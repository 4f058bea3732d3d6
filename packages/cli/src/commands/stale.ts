import { STALE_VERDICTS, type StaleFlag } from '@burgee/contract'
import { type Command, Option } from 'commander'
import { listAll } from '../api/list-all.ts'
import type { CommandContext } from '../command-context.ts'
import { usageError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import { printable } from '../output/output.ts'

interface StaleOptions {
  readonly days?: string
  readonly verdict?: StaleFlag['verdict']
  readonly exitCode?: boolean
}

/** Adds `burgee stale`: flags to remove, with the evidence. */
export function addStale(program: Command, context: CommandContext): void {
  program
    .command('stale [key]')
    .description(
      'list the flags of the project that may be removed, with the evidence; the plan for one flag',
    )
    .option('--days <n>', 'days without evaluations or changes (30)')
    .addOption(new Option('--verdict <verdict>', 'only these').choices(STALE_VERDICTS))
    .option('--exit-code', 'exit code 3 when a flag should be removed')
    .action(async (key: string | undefined, options: StaleOptions) => {
      if (options.days !== undefined && !/^[1-9]\d{0,2}$/.test(options.days))
        throw usageError('--days takes a number from 1 to 365.')
      const { id: project_id } = await context.project()
      const query = options.days === undefined ? {} : { days: Number(options.days) }
      if (key !== undefined) {
        const plan = await context.api().call('getCleanupPlan', { params: { project_id, key }, query })
        const lines = plan.steps.map((step, at) => `${at + 1}. ${step}\n`)
        const places = plan.references.map(
          ({ line, path, repo, url }) => `   ${url ?? `${repo} ${path}:${line}`}\n`,
        )
        return context.print(plan, () =>
          printable(`${describe(plan)}\n${lines.join('')}${places.length > 0 ? `\n${places.join('')}` : ''}`),
        )
      }
      const all = await listAll(context.api(), 'listStaleFlags', { params: { project_id }, query })
      const wanted = options.verdict ?? null
      const flags = all.filter(({ verdict }) => (wanted === null ? verdict !== 'keep' : verdict === wanted))
      if (options.exitCode && all.some(({ verdict }) => verdict === 'remove'))
        context.endWith(EXIT.differences)
      context.print(flags, () => printable(flags.map(describe).join('') || 'No flag is stale.\n'))
    })
}

function describe({ dependants, evidence, flag_key, keep_value, verdict }: StaleFlag): string {
  const kept = keep_value === undefined ? '' : `, keep ${JSON.stringify(keep_value)}`
  const lines = [
    ...evidence.map(({ text }) => text),
    ...dependants.map(({ key, kind }) => `needed by ${kind} ${key}`),
  ]
  return `${flag_key}: ${verdict}${kept}\n${lines.map((line) => `  ${line}\n`).join('')}`
}
