import { resolve } from 'node:path'
import { type ApplyInput, type ApplyResult, isObject } from '@burgee/contract'
import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { CommandError, usageError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import { readApplyFiles, readText } from '../files/read-files.ts'
import { describeChange, describeWarnings } from '../plan/describe-plan.ts'
import { type ApplyTarget, groupDocuments } from '../plan/group-documents.ts'
import { type Before, listBefore, NOTHING_BEFORE } from '../plan/list-before.ts'
import { type ApplySwitches, sendApply } from '../plan/send-apply.ts'
import { parseWait, waitForClients } from '../plan/wait-for-clients.ts'
import { describeInvariants, planInvariants, toOutput, writeInvariants } from '../plan/write-invariants.ts'

interface ApplyOptions extends ApplySwitches {
  readonly file: readonly string[]
  readonly plan?: string
  readonly wait?: string
  readonly waitTimeout?: string
}

const PLAN_MAX_BYTES = 32 * 1024 * 1024

/** Adds `burgee apply`: all or nothing for each environment. */
export function addApply(program: Command, context: CommandContext): void {
  program
    .command('apply')
    .description('bring flags and segments to the state of the files; exit code 4 when approval is needed')
    .requiredOption('-f, --file <file...>', 'files of flags and segments')
    .option('--prune', 'also archive flags of the same name that the files do not list')
    .option('--take-over', 'also change flags that another name manages')
    .option('--plan <file>', 'refuse when a flag of this plan has changed since (plan -o json)')
    .option('--comment <text>', 'the reason, for history and audit')
    .option('--wait <share>', 'wait until this share of the clients has the flags, such as 95%')
    .option('--wait-timeout <seconds>', 'how long --wait may take, 60 by default')
    .action(async ({ file, plan, wait: share, waitTimeout, ...switches }: ApplyOptions) => {
      const wait = parseWait(share, waitTimeout)
      const api = context.api()
      const documents = readApplyFiles(file, context.io.cwd)
      const targets = await groupDocuments(context, documents)
      const invariants = await planInvariants(context, documents)
      const revisions = plan === undefined ? [] : readPlan(resolve(context.io.cwd, plan), targets.length)
      const results: Applied[] = []
      const progress = context.progress('Applying')
      for (const [index, target] of targets.entries()) {
        progress.update(index, targets.length)
        const if_revisions = revisions[index]
        try {
          const isText = context.options().output === 'text'
          const before = isText ? await listBefore(api, target.environment.id) : NOTHING_BEFORE
          const result = await sendApply(api, target, switches, if_revisions ? { if_revisions } : {})
          results.push({ target, result, before })
        } catch (error) {
          throw index === 0 ? error : partly(error, targets.slice(0, index))
        }
      }
      progress.end()
      const isWaiting = results.some(({ result }) => (result.change_requests ?? []).length > 0)
      // The demands are about the flags as they are now; what waits for approval comes later.
      await writeInvariants(context, invariants)
      context.report(
        toOutput(
          results.map(({ result }) => result),
          invariants,
        ),
        () =>
          results.map((applied) => describeApplied(applied, context)).join('\n') +
          describeInvariants(invariants, context.colors),
      )
      if (isWaiting) context.endWith(EXIT.waits)
      for (const { target, result } of results)
        if (wait !== null) await waitForClients(context, target, result.revision, wait)
    })
}

/** Adds to an error the environments that were applied before it: each is a write of its own. */
function partly(error: unknown, done: readonly ApplyTarget[]): unknown {
  if (!(error instanceof CommandError)) return error
  const names = done.map(({ project, environment }) => `${project.slug}/${environment.slug}`).join(', ')
  return new CommandError(`${error.message} Applied before: ${names}.`, error.exitCode, error.details)
}

interface Applied {
  readonly target: ApplyTarget
  readonly result: ApplyResult
  readonly before: Before
}

function describeApplied({ before, result, target }: Applied, { colors }: CommandContext): string {
  const requests = result.change_requests ?? []
  const lines = [
    colors.bold(`${target.project.slug}/${target.environment.slug}`),
    ...result.changes.flatMap((change) => describeChange(change, before.of(change), colors)),
    ...describeWarnings(result, colors),
    ...requests.map(({ id, flag_key }) => `  change request ${id} waits for approval: ${flag_key}`),
    summarize(result),
  ]
  return `${lines.join('\n')}\n`
}

function summarize({ changes, revision }: ApplyResult): string {
  if (changes.length === 0) return 'Nothing to do.'
  return changes.every(({ needs_approval }) => needs_approval)
    ? 'Nothing is changed until it is approved.'
    : `Done. Revision ${revision}.`
}

type Revisions = NonNullable<ApplyInput['if_revisions']>

/** Reads the response of `plan -o json`: the revisions of what it touches. */
function readPlan(path: string, count: number): Revisions[] {
  const text = readText(path, PLAN_MAX_BYTES)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw usageError(`${path} is not JSON. Write it with burgee plan -o json.`)
  }
  const several = isObject(parsed) && Array.isArray(parsed.environments) ? parsed.environments : parsed
  const plans = Array.isArray(several) ? several : [several]
  if (plans.length !== count)
    throw usageError(`${path} is a plan for ${plans.length} environments, not for ${count}.`)
  return plans.map((plan) => {
    if (!isObject(plan) || !Array.isArray(plan.changes))
      throw usageError(`${path} is no plan. Write it with burgee plan -o json.`)
    const of = (resource: string) =>
      Object.fromEntries(
        (plan.changes as ApplyResult['changes'])
          .filter((change) => change.resource === resource)
          .map(({ key, base_revision }) => [key, base_revision]),
      )
    return { flags: of('flag'), segments: of('segment') }
  })
}
