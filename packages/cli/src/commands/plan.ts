import { resolve } from 'node:path'
import { type ApplyResult, type EndpointBody, mostChanged } from '@burgee/contract'
import { type Command, Option } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { CommandError, usageError } from '../command-error.ts'
import { findPlace, SERVICES, type Service } from '../comments/find-place.ts'
import { planComment, planMarker } from '../comments/plan-comment.ts'
import { postComment } from '../comments/post-comment.ts'
import { EXIT } from '../exit-codes.ts'
import { readApplyFiles } from '../files/read-files.ts'
import { countOf } from '../output/count-of.ts'
import { type Colors, colorsOf } from '../output/output.ts'
import { describeImpact } from '../plan/describe-impact.ts'
import { describeChange, describeWarnings } from '../plan/describe-plan.ts'
import { type ApplyTarget, groupDocuments } from '../plan/group-documents.ts'
import { type Before, listBefore, NOTHING_BEFORE } from '../plan/list-before.ts'
import { readUsers } from '../plan/read-users.ts'
import { type ApplySwitches, sendApply } from '../plan/send-apply.ts'
import { describeInvariants, planInvariants, toOutput } from '../plan/write-invariants.ts'

interface PlanOptions extends ApplySwitches {
  readonly file: readonly string[]
  readonly users?: string
  readonly maxUsersChanged?: string
  readonly post?: Service
}

/** Adds `burgee plan`: the server does the whole apply and rolls it back. */
export function addPlan(program: Command, context: CommandContext): void {
  program
    .command('plan')
    .description('show what apply would do; exit code 3 when it would change something')
    .requiredOption('-f, --file <file...>', 'files of flags and segments')
    .option('--prune', 'also archive flags of the same name that the files do not list')
    .option('--take-over', 'also change flags that another name manages')
    .option('--users <file>', 'count these users, one JSON object a line, instead of those that were seen')
    .option('--max-users-changed <count>', 'exit code 3 and an error when more users get another result')
    .addOption(
      new Option(
        '--post <service>',
        'also write the plan as a comment of the pull request of the job',
      ).choices(SERVICES),
    )
    .action(async ({ file, maxUsersChanged, post, users: usersFile, ...switches }: PlanOptions) => {
      const max = parseMax(maxUsersChanged)
      const users = usersFile === undefined ? undefined : readUsers(resolve(context.io.cwd, usersFile))
      const place = post === undefined ? null : findPlace(post, context.io)
      const api = context.api()
      const documents = readApplyFiles(file, context.io.cwd)
      const targets = await groupDocuments(context, documents)
      const invariants = await planInvariants(context, documents)
      const plans: Planned[] = []
      const progress = context.progress('Planning')
      for (const target of targets) {
        progress.update(plans.length, targets.length)
        const result = await sendApply(api, target, switches, {
          dry_run: true,
          ...(users && { users }),
        })
        const isText = context.options().output === 'text' || place !== null
        const before = isText ? await listBefore(api, target.environment.id) : NOTHING_BEFORE
        plans.push({ target, result, before })
      }
      progress.end()
      const describeAll = (colors: Colors) =>
        describePlans(plans, switches, colors) + describeInvariants(invariants, colors)
      context.print(
        toOutput(
          plans.map(({ result }) => result),
          invariants,
        ),
        () => describeAll(context.colors),
      )
      if (place !== null) {
        const { project, environment } = context.names()
        // A comment has no colors.
        const text = describeAll(colorsOf({}, {}))
        await postComment(place, planMarker(project?.name, environment?.name), planComment(text))
      }
      if (invariants.length > 0 || plans.some(({ result }) => result.changes.length > 0))
        context.endWith(EXIT.differences)
      const most = Math.max(0, ...plans.map(({ result }) => mostUsers(result)))
      if (max !== null && most > max)
        throw new CommandError(
          `Up to ${countOf(most, 'user')} ${most === 1 ? 'gets' : 'get'} another result, and --max-users-changed is ${max}.`,
          EXIT.differences,
        )
    })
}

const mostUsers = ({ impact }: ApplyResult): number => (impact ? mostChanged(impact.changed) : 0)

function parseMax(text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^\d{1,9}$/.test(text)) throw usageError('--max-users-changed must be a number of users, 0 or more.')
  return Number(text)
}

interface Planned {
  readonly target: ApplyTarget
  readonly result: ApplyResult
  readonly before: Before
}

const describePlans = (plans: readonly Planned[], switches: ApplySwitches, colors: Colors): string =>
  plans.map((plan) => describePlan(plan, switches, colors)).join('\n')

function describePlan({ target, result, before }: Planned, switches: ApplySwitches, colors: Colors): string {
  const unlisted = switches.prune ? [] : findUnlisted(target, before.flags)
  const lines = [
    colors.bold(`${target.project.slug}/${target.environment.slug}`),
    ...result.changes.flatMap((change) => describeChange(change, before.of(change), colors)),
    ...unlisted.map((key) =>
      colors.dim(`  flag ${key}: managed by ${target.name}, not in the files; --prune archives it`),
    ),
    ...describeWarnings(result, colors),
    ...(result.impact ? describeImpact(result.impact, colors) : []),
    summarize(result),
  ]
  return `${lines.join('\n')}\n`
}

/** Returns the flags that the name manages and the files do not list. */
function findUnlisted({ name, flags: listed }: ApplyTarget, flags: EndpointBody<'listFlags'>): string[] {
  if (name === undefined) return []
  const keys = new Set(listed.map(({ value }) => value.key))
  return flags
    .filter(
      ({ key, managed_by, archived_at }) => managed_by === name && archived_at === null && !keys.has(key),
    )
    .map(({ key }) => key)
}

function summarize({ changes }: ApplyResult): string {
  if (changes.length === 0) return 'Nothing would change.'
  const count = (wanted: string) => changes.filter(({ action }) => action === wanted).length
  const waiting = changes.filter(({ needs_approval }) => needs_approval).length
  return [
    `${count('create')} to create, ${count('update') + count('unarchive')} to update, ${count('archive')} to archive`,
    ...(waiting === 0 ? [] : [`${waiting} need approval`]),
  ].join('; ')
}
