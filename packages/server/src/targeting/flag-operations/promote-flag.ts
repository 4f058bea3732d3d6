import { type PromoteInput, segmentsBehind } from '@burgee/contract'
import { addWarnings, type EnvironmentWrite, type FlagChange, writeEnvironment } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { forbidden, invalid, notFound } from '../../kernel/refusal.ts'
import { lacksIn, mayInEnvironment, type ProjectScope } from '../../kernel/scope.ts'
import { rowExists } from '../../platform/db/row-exists.ts'
import { findFlag, findRevision } from '../flags/index.ts'
import { readSegments } from '../segment-rows/index.ts'
import { applyOrRequestApproval, type FlagWriteDeps, type OperatedFlag } from './operate-on-flag.ts'

/**
 * Copies segments, which belong to the other feature, into the environment that is being written. Returns the
 * changes to the flags there that name them. `app/flag-writes.ts` provides it.
 */
export type CopySegments = (
  write: EnvironmentWrite,
  actor: Actor,
  from: { readonly sourceEnvironmentId: string; readonly keys: readonly string[] },
) => Promise<readonly FlagChange[]>

export interface PromoteDeps extends FlagWriteDeps {
  readonly copySegments: CopySegments
}

export interface PromoteFlagInput {
  readonly scope: Pick<ProjectScope, 'project_id' | 'membership'>
  readonly sourceEnvironmentId: string
  readonly key: string
  readonly input: PromoteInput
}

/**
 * Copies a flag to another environment of the project: one write of the target, with both environments
 * locked. Refuses with `not_found` (flag, target), `forbidden` (a key only reaches its own environment, or
 * the role in the target does not permit it) and `invalid` (a target that is the source or in another
 * project).
 */
export async function promoteFlag(
  deps: PromoteDeps,
  actor: Actor,
  { input, key, scope, sourceEnvironmentId }: PromoteFlagInput,
): Promise<OperatedFlag> {
  const targetId = input.target_env_id.toLowerCase()
  // Before the locks: a caller must not block an environment that they may not write.
  if (!(await rowExists(deps.db, 'flags', { environment_id: sourceEnvironmentId, key })))
    throw notFound('flag')
  const target = await findRevision(deps.db, targetId)
  if (!target) throw notFound('environment')
  requireTarget(actor, { id: targetId, ...target }, { project_id: scope.project_id, sourceEnvironmentId })
  for (const permission of neededInTarget(input)) {
    if (mayInEnvironment(actor, scope, permission, targetId)) continue
    throw lacksIn(permission, { project_id: scope.project_id, environment_id: targetId })
  }
  const work = async (write: EnvironmentWrite) => {
    const source = write.others.get(sourceEnvironmentId)
    if (!source) throw notFound('environment')
    const flag = await findFlag(write.tx, source.id, key)
    if (!flag) throw notFound('flag')
    const missing = await findMissingSegments(write, source.id, flag.rules)
    const copied = input.copy_segments === true ? missing : []
    const from = { sourceEnvironmentId: source.id, keys: copied }
    const dependents = copied.length > 0 ? await deps.copySegments(write, actor, from) : []
    const { archived_at: _a, revision: _r, ...content } = flag
    const named = { id: source.id, name: source.name, slug: source.slug }
    const outcome = await applyOrRequestApproval(deps, write, actor, {
      before: (await findFlag(write.tx, targetId, key)) ?? null,
      operation: { operation: 'promote', flag: content, source: named },
      origin: 'promote',
      metadata: { source_environment_id: source.id, ...(copied.length > 0 && { copied_segments: copied }) },
    })
    // A promoted flag is sent once, with the revision of its row, which is the write's first. One whose
    // promotion waits for approval is unchanged, except for segments that it may already have named.
    const isSent = outcome.result.kind === 'written'
    const others = dependents.filter((change) => !isSent || change.flag_key !== key)
    return { ...outcome, changes: [...outcome.changes, ...others] }
  }
  return writeEnvironment(deps, targetId, actor, work, {
    alsoLock: [sourceEnvironmentId],
    withWarnings: addWarnings,
  })
}

const neededInTarget = ({ copy_segments }: PromoteInput) =>
  copy_segments === true ? (['write_flags', 'write_segments'] as const) : (['write_flags'] as const)

function requireTarget(
  actor: Actor,
  target: { readonly id: string; readonly project_id: string },
  source: { readonly project_id: string; readonly sourceEnvironmentId: string },
): void {
  if (target.id === source.sourceEnvironmentId) throw invalidTarget("is the flag's own environment")
  if (actor.kind === 'sdk_key') {
    throw forbidden(
      'An SDK key can change only its own environment; promote with a session or a personal access token.',
    )
  }
  if (target.project_id !== source.project_id) throw invalidTarget('is in another project')
}

const invalidTarget = (why: string) =>
  invalid([{ path: '/target_env_id', message: `${why}; name another environment of the project` }])

/** Returns the segments behind the rules, at any depth, that the source has and the target lacks. */
async function findMissingSegments(
  { environment, tx }: EnvironmentWrite,
  sourceId: string,
  rules: Parameters<typeof segmentsBehind>[0],
): Promise<string[]> {
  const there = await readSegments(tx, sourceId)
  const here = await readSegments(tx, environment.id)
  return [...segmentsBehind(rules, there)].filter((key) => there.has(key) && !here.has(key))
}
