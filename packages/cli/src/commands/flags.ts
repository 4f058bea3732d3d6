import type { EndpointBody, EndpointInput, Flag } from '@burgee/contract'
import { formatShare } from '@burgee/contract'
import { FLAG_TYPES } from '@burgee/evaluation'
import { type Command, Option } from 'commander'
import { listAll } from '../api/list-all.ts'
import type { CommandContext } from '../command-context.ts'
import { usageError } from '../command-error.ts'
import { printable } from '../output/output.ts'
import { reportChange } from '../output/report-change.ts'

interface CommentOption {
  readonly comment?: string
}
interface ListOptions {
  readonly archived?: boolean
  readonly tag?: string
  readonly search?: string
}
interface CreateOptions extends CommentOption {
  readonly type: Flag['flag_type']
  readonly description?: string
  readonly value?: string
  readonly on?: boolean
}

const KEY = 'key of the flag'

type Patch = EndpointInput<'patchFlag'>['body']

/** Adds `burgee flags`: reading, and one change at a time. */
export function addFlags(program: Command, context: CommandContext): void {
  const flags = program.command('flags').description('read flags, create and switch single ones')
  addReading(flags, context)
  addCreation(flags, context)
  const change = (name: string, description: string, patch: Patch) =>
    flags
      .command(name)
      .description(description)
      .argument('<key>', KEY)
      .option('--comment <text>', 'the reason, for history and audit')
      .action((key: string, { comment }: CommentOption) => patchFlag(context, key, patch, comment))
  change('enable', 'switch the flag on', { is_enabled: true })
  change('disable', 'switch the flag off', { is_enabled: false })
  flags
    .command('rollout')
    .description('serve the flag to a share of the users')
    .argument('<key>', KEY)
    .argument('<percentage>', 'percentage of the users, such as 25 or 12.5')
    .option('--comment <text>', 'the reason, for history and audit')
    .action((key: string, percentage: string, { comment }: CommentOption) =>
      patchFlag(context, key, rolloutPatch(percentage), comment),
    )
  flags
    .command('archive')
    .description('archive the flag: programs get their default values')
    .argument('<key>', KEY)
    .option('--comment <text>', 'the reason, for history and audit')
    .action(async (key: string, { comment }: CommentOption) => {
      const { id: env_id } = await context.environment()
      const body = comment === undefined ? {} : { comment }
      const reply = await context.api().send('archiveFlag', { params: { env_id, key }, body })
      reportChange(context, reply, `${key} is archived.`)
    })
}

function addReading(flags: Command, context: CommandContext): void {
  flags
    .command('list')
    .description('list the flags of the environment')
    .option('--archived', 'archived flags instead of active ones')
    .option('--tag <tag>', 'flags with this tag')
    .option('--search <text>', 'flags with this text in key or description')
    .action(async ({ archived = false, tag, search }: ListOptions) => {
      const { id: env_id } = await context.environment()
      const query = {
        archived,
        ...(tag !== undefined && { tag }),
        ...(search !== undefined && { q: search }),
      }
      const found = await listAll(context.api(), 'listFlags', { params: { env_id }, query })
      context.print(found, () =>
        context.table(['FLAG', 'TYPE', 'STATE', 'ROLLOUT', 'DESCRIPTION'], found.map(rowOf)),
      )
    })
  flags
    .command('get')
    .description('print one flag')
    .argument('<key>', KEY)
    .action(async (key: string) => {
      const { id: env_id } = await context.environment()
      const flag = await context.api().call('getFlag', { params: { env_id, key } })
      context.print(flag, () => `${printable(JSON.stringify(flag, null, 2))}\n`)
    })
}

function addCreation(flags: Command, context: CommandContext): void {
  flags
    .command('create')
    .description('create a flag, switched off')
    .argument('<key>', 'key of the new flag')
    .addOption(new Option('--type <type>', 'type of its values').choices([...FLAG_TYPES]).default('boolean'))
    .option('--description <text>', 'what the flag is for')
    .option('--value <json>', 'the value when on, as JSON')
    .option('--on', 'switch it on')
    .option('--comment <text>', 'the reason, for history and audit')
    .action(async (key: string, { type, description, value, on = false, comment }: CreateOptions) => {
      const { id: env_id } = await context.environment()
      const body = {
        key,
        flag_type: type,
        is_enabled: on,
        ...(description !== undefined && { description }),
        ...(value !== undefined && { default_value: parseValue(value) }),
        ...(comment !== undefined && { comment }),
      }
      const headers = { 'if-none-match': '*' }
      const input = { params: { env_id }, body } as EndpointInput<'putFlag'>
      const reply = await context.api().send('putFlag', input, { headers })
      reportChange(context, reply, `${key} is created, switched ${on ? 'on' : 'off'}.`)
    })
}

const rowOf = ({ key, flag_type, is_enabled, description, ...flag }: EndpointBody<'listFlags'>[number]) => [
  key,
  flag_type,
  is_enabled ? 'on' : 'off',
  formatShare(flag) ?? '100%',
  description ?? '',
]

/** A decimal number. `finer` is what is below a thousandth. */
const PERCENTAGE = /^(?<percent>\d+(?:\.\d{0,3})?)0*(?<finer>\d*)%?$/

function rolloutPatch(text: string): Patch {
  const share = PERCENTAGE.exec(text)?.groups
  const thousandths = Math.round(Number(share?.percent ?? Number.NaN) * 1_000)
  if (!(thousandths >= 0 && thousandths <= 100_000))
    throw usageError(`${text} is no percentage from 0 to 100.`)
  if (share?.finer)
    throw usageError(`${text} is finer than a thousandth of a percent. Write at most three decimals.`)
  return thousandths % 1_000 === 0
    ? { rollout_percentage: thousandths / 1_000 }
    : { rollout_thousandths: thousandths }
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw usageError(`${text} is not JSON. Write texts with quotes: '"blue"'.`)
  }
}

/** Sends a patch of one field, and states what the flag has then. */
async function patchFlag(
  context: CommandContext,
  key: string,
  patch: Patch,
  comment: string | undefined,
): Promise<void> {
  const { id: env_id } = await context.environment()
  const api = context.api()
  const body = { ...patch, ...(comment !== undefined && { comment }) }
  const reply = await api.send('patchFlag', { params: { env_id, key }, body })
  reportChange(context, reply, reply.status === 202 ? '' : describeState(reply.body))
}

function describeState({ archived_at, is_enabled, key, ...flag }: Flag): string {
  const share = formatShare(flag)
  const rollout = share === null ? '' : `, rollout ${share}`
  const archived = archived_at === null ? '' : ' It is archived: programs get their default values.'
  return `${key} is ${is_enabled ? 'on' : 'off'}${rollout}.${archived}`
}
