import {
  type Environment,
  INVARIANTS_MAX,
  type Invariant,
  type InvariantInput,
  type InvariantPatch,
  type Violation,
} from '@burgee/contract'
import type { Transaction } from 'kysely'
import {
  type AuditAction,
  type WorkspaceAudit,
  type WorkspaceWriteDeps,
  writeWorkspace,
} from '../../changes/index.ts'
import { type Actor, actorName } from '../../kernel/actor.ts'
import { conflict, invalid, invalidWith, notFound, type Refusal } from '../../kernel/refusal.ts'
import { inTurns } from '../../platform/concurrency/turns.ts'
import type { Database } from '../../platform/db/tables.ts'
import { lockEnvironmentsOf } from '../../structure/environments/index.ts'
import { decideInvariant } from './decide-invariant.ts'
import { findProblems } from './find-problems.ts'
import { covers, flagsOf, newInvariant, patchInvariant } from './invariant.ts'
import {
  deleteInvariantRow,
  findInvariant,
  listInvariants,
  lockInvariantsOf,
  saveInvariant,
} from './queries.ts'
import { readClosure } from './read-closure.ts'
import { toViolation } from './violation.ts'

interface Place {
  readonly project_id: string
  readonly key: string
}

/** The time of all explorations of one write: the environments are locked meanwhile. */
const EXPLORATIONS_MS = 1_000

/**
 * Creates an invariant. Refuses with `conflict` when the key exists or there are too many, and with `invalid`
 * when it is to block and is violated now, or cannot be decided.
 */
export async function createInvariant(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  project_id: string,
  input: InvariantInput,
): Promise<Invariant> {
  return writeWorkspace(deps, actor, async ({ now, tx }) => {
    const environments = await lockAll(tx, project_id)
    const all = await listInvariants(tx, project_id)
    if (all.some(({ key }) => key === input.key))
      throw conflict(`There is an invariant "${input.key}" already. Change it, or choose another key.`)
    if (all.length >= INVARIANTS_MAX)
      throw conflict(`The project has ${INVARIANTS_MAX} invariants already. Delete one first.`)
    const after = newInvariant(input, { created_by: actorName(actor), created_at: now })
    await requireHeld(tx, after, environments, input)
    await saveInvariant(tx, project_id, after)
    return { result: after, audit: auditOf(project_id, 'create', null, after), changesAccess: false }
  })
}

/** Changes an invariant. Refuses as its creation does, and with `not_found`. */
export async function updateInvariant(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { key, project_id }: Place,
  patch: InvariantPatch,
): Promise<Invariant> {
  return writeWorkspace(deps, actor, async ({ tx }) => {
    const environments = await lockAll(tx, project_id)
    const before = await findInvariant(tx, project_id, key)
    if (!before) throw notFound('invariant')
    const after = patchInvariant(before, patch)
    await requireHeld(tx, after, environments, patch)
    await saveInvariant(tx, project_id, after)
    return { result: after, audit: auditOf(project_id, 'update', before, after), changesAccess: false }
  })
}

/** Deletes an invariant. Refuses with `not_found` when it does not exist. */
export async function deleteInvariant(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { key, project_id }: Place,
): Promise<void> {
  await writeWorkspace(deps, actor, async ({ tx }) => {
    await lockAll(tx, project_id)
    const before = await findInvariant(tx, project_id, key)
    if (!before) throw notFound('invariant')
    await deleteInvariantRow(tx, project_id, key)
    return { result: undefined, audit: auditOf(project_id, 'delete', before, null), changesAccess: false }
  })
}

/** Locks the environments in the order of their ids, and then the project: no write comes between. */
async function lockAll(tx: Transaction<Database>, project_id: string): Promise<readonly Environment[]> {
  const environments = await lockEnvironmentsOf(tx, project_id, 'for_change')
  await lockInvariantsOf(tx, project_id)
  return environments
}

async function requireHeld(
  tx: Transaction<Database>,
  invariant: Invariant,
  environments: readonly Environment[],
  given: InvariantInput | InvariantPatch,
): Promise<void> {
  const problems = findProblems(invariant, slugsOf(environments), given)
  if (problems.length > 0) throw invalid(problems)
  if (invariant.enforcement !== 'block') return
  const end = performance.now() + EXPLORATIONS_MS
  for (const { id, name, slug } of environments) {
    if (!covers(invariant, slug)) continue
    const { flags } = await readClosure(tx, id, flagsOf(invariant))
    const limits = { time: Math.max(0, end - performance.now()) }
    const decided = await inTurns(decideInvariant(flags, invariant, limits))
    const violation = toViolation(invariant, decided)
    if (violation) throw violated(violation, name)
  }
}

/** Refuses an invariant that does not hold in an environment, with the counter-example. */
function violated(violation: Violation, environment: string): Refusal {
  const { verdict, why } = violation
  const message =
    verdict === 'violated'
      ? `The invariant is violated in ${environment}: ${why}`
      : `The invariant cannot be decided in ${environment}: ${why}. Use "warn"`
  return invalidWith([{ path: '', message }], { violations: [violation] })
}

const slugsOf = (environments: readonly Environment[]) => environments.map(({ slug }) => slug)

function auditOf(
  project_id: string,
  action: AuditAction,
  before: Invariant | null,
  after: Invariant | null,
): WorkspaceAudit {
  const key = (after ?? before)?.key
  return {
    project_id,
    environment_id: null,
    action,
    before,
    after,
    metadata: { origin: 'direct', resource: `invariant:${key}` },
  }
}
