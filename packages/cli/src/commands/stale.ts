import { type EndpointInput, STALE_DAYS_MAX, STALE_VERDICTS, type StaleFlag } from '@burgee/contract'
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
  readonly fresh?: boolean
}

/** Adds `burgee stale`: flags to remove, with the evidence. */
export function addStale(program: Command, context: CommandContext): void {
  program
    .command('stale')
    .description(
      'list the flags of the project that may be removed, with the evidence, or the steps to remove one',
    )
    .argument('[key]', 'key of the flag to remove; none for the list')
    .option('--days <n>', 'days without evaluations or changes, 30 by default')
    .addOption(new Option('--verdict <verdict>', 'list the flags with this verdict').choices(STALE_VERDICTS))
    .option('--exit-code', 'exit code 3 when a flag should be removed')
    .option('--fresh', 'compute the report again instead of taking one of the last hour')
    .action(async (key: string | undefined, options: StaleOptions) => {
      if (
        options.days !== undefined &&
        !(/^[1-9]\d{0,2}$/.test(options.days) && Number(options.days) <= STALE_DAYS_MAX)
      )
        throw usageError(`--days takes a number from 1 to ${STALE_DAYS_MAX}.`)
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
      const { all, computedAt } = await readReport(context, { params: { project_id }, query }, options)
      const wanted = options.verdict ?? null
      const flags = all.filter(({ verdict }) => (wanted === null ? verdict !== 'keep' : verdict === wanted))
      if (options.exitCode && all.some(({ verdict }) => verdict === 'remove'))
        context.endWith(EXIT.differences)
      context.print(flags, () => printable(flags.map(describe).join('') || 'No flag is stale.\n'))
      if (computedAt !== null) context.remark(printable(`Evaluations as of ${describeAge(computedAt)}.`))
    })
}

/** Reads the report of all flags, and of when its evaluations are. */
async function readReport(
  context: CommandContext,
  input: EndpointInput<'listStaleFlags'>,
  { fresh = false }: StaleOptions,
) {
  const api = context.api()
  // A report that is computed again for each page would cost as often.
  if (fresh) await api.send('listStaleFlags', { ...input, query: { ...input.query, limit: 1, max_age: 0 } })
  let computedAt: string | null = null
  const all = await listAll(api, 'listStaleFlags', input, (_, headers) => {
    computedAt ??= headers.get('x-computed-at')
  })
  return { all, computedAt: computedAt as string | null }
}

function describeAge(at: string): string {
  const minutes = Math.max(0, Math.round((Date.now() - Date.parse(at)) / 60_000))
  const age = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} ago`
  return minutes === 0 ? at : `${at} (${age}; --fresh computes them again)`
}

function describe({ dependants, evidence, flag_key, keep_value, verdict }: StaleFlag): string {
  const kept = keep_value === undefined ? '' : `, keep ${JSON.stringify(keep_value)}`
  const lines = [
    ...evidence.map(({ text }) => text),
    ...dependants.map(({ key, kind }) => `needed by ${kind} ${key}`),
  ]
  return `${flag_key}: ${verdict}${kept}\n${lines.map((line) => `  ${line}\n`).join('')}`
}
