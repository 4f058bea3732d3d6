import { type AppliedSegment, findUnknownFields, type Segment, type Warning } from '@burgee/contract'
import { deepEqual } from '@burgee/evaluation'
import type { AuditEntry, EnvironmentWrite, FlagChange } from '../../changes/index.ts'
import { type Actor, isWorkspaceAdmin } from '../../kernel/actor.ts'
import { isGuarded } from '../../kernel/approval.ts'
import { diffJson, type JsonDifference } from '../../kernel/diff-json.ts'
import { type ProblemDetail, Refusal } from '../../kernel/refusal.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import { listFlagsNamingSegments } from '../flags/index.ts'
import { readSegments } from '../segment-rows/index.ts'
import {
  changeDependents,
  type DependentsDeps,
  describeTouched,
  isTouched,
  type SegmentEdit,
} from './change-segment.ts'
import { findReach } from './edit-reach.ts'
import { listSegments, saveSegment } from './queries.ts'
import { contentOf, patchContent } from './segment-content.ts'
import { findSegmentWarnings } from './segment-warnings.ts'
import { validateSegment } from './validate-segment.ts'

interface AppliedSegmentChange {
  readonly before: Segment | null
  readonly after: Segment
  readonly changes: readonly JsonDifference[]
  readonly warnings: readonly Warning[]
  readonly audit: AuditEntry
}

/** The changes of the segments of an apply. */
export interface SegmentsApplied {
  readonly items: readonly AppliedSegmentChange[]
  /** The changes of flags that depend on them, with the flags as they were before the apply. */
  readonly changes: readonly FlagChange[]
  readonly problems: readonly ProblemDetail[]
}

type Change = Omit<AppliedSegmentChange, 'warnings'> & { readonly unknown: readonly Warning[] }

const FIELDS = ['key', 'name', 'description', 'rules', 'included_keys', 'excluded_keys']

/**
 * Stores the segments that differ from the wanted ones, and returns the flags that SDKs receive again.
 * Collects every problem instead of refusing with the first.
 */
export async function applySegments(
  deps: DependentsDeps & { readonly newId: () => string },
  write: EnvironmentWrite,
  actor: Actor,
  wanted: readonly AppliedSegment[],
): Promise<SegmentsApplied> {
  const nothing = { items: [], changes: [], problems: [] }
  if (wanted.length === 0) return nothing
  const stored = new Map((await listSegments(write.tx, write.environment.id)).map((one) => [one.key, one]))
  const before = await readSegments(write.tx, write.environment.id)
  const problems: ProblemDetail[] = []
  const done: Change[] = []
  for (const [index, one] of wanted.entries()) {
    await shareTurn()
    const change = await applySegment(deps, write, { one, before: stored.get(one.key) ?? null }).catch(
      collectInto(problems, `/segments/${index}`),
    )
    if (change) done.push(change)
  }
  if (done.length === 0) return { ...nothing, problems }
  const after = await readSegments(write.tx, write.environment.id)
  const edit = { keys: new Set(done.map((change) => change.after.key)), rename: null, before, after }
  const refused = await findTouched(deps, write, actor, edit)
  if (problems.length + refused.length > 0) return { ...nothing, problems: [...problems, ...refused] }
  const { changes, dependents } = await changeDependents(deps, write, actor, edit)
  const items: AppliedSegmentChange[] = []
  for (const { unknown, ...change } of done) {
    await shareTurn()
    const found = await findSegmentWarnings(change.after, after, dependents)
    items.push({ ...change, warnings: [...found, ...unknown] })
  }
  return { items, changes, problems }
}

async function applySegment(
  deps: { readonly newId: () => string },
  write: EnvironmentWrite,
  { before, one }: { readonly before: Segment | null; readonly one: AppliedSegment },
): Promise<Change | null> {
  const { key, ...patch } = one
  if (!before && patch.name === undefined) throw invalidName()
  const base = before ? contentOf(before) : { name: patch.name ?? key, key, description: null, rules: [] }
  const wanted = patchContent(base, patch)
  await shareTurn()
  validateSegment(wanted, before)
  await shareTurn()
  if (before && deepEqual(base, wanted)) return null
  const { environment, now, tx } = write
  const place = before ?? { id: deps.newId(), environment_id: environment.id, created_at: now }
  const { created_at, environment_id, id } = place
  const after = await saveSegment(tx, { id, environment_id, created_at, ...wanted })
  await shareTurn()
  const changes = diffJson(before ? base : {}, wanted)
  await shareTurn()
  return {
    before,
    after,
    changes,
    unknown: findUnknownFields(one, FIELDS),
    audit: {
      action: before ? 'update' : 'create',
      flag_key: '',
      before,
      after,
      metadata: { origin: 'apply', resource: `segment:${key}` },
    },
  }
}

const invalidName = () =>
  new Refusal('invalid', 'A new segment needs a name.', {
    details: [{ path: '/name', message: 'is required for a new segment' }],
  })

/** Adds the problems of a refusal to the list, below the path. Any other error is thrown again. */
const collectInto =
  (problems: ProblemDetail[], path: string) =>
  (error: unknown): null => {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
    const details = error.extras.details ?? [{ path: '', message: error.message }]
    problems.push(...details.map((detail) => ({ ...detail, path: path + detail.path })))
    return null
  }

/** Returns a problem for each flag that would change without the approval that its environment requires. */
async function findTouched(
  deps: DependentsDeps,
  write: EnvironmentWrite,
  actor: Actor,
  edit: SegmentEdit,
): Promise<ProblemDetail[]> {
  if (!isGuarded(write.environment) || isWorkspaceAdmin(actor)) return []
  const flags = await listFlagsNamingSegments(write.tx, write.environment.id)
  const affected = [
    ...flags.map(({ key, rules }) => ({ flag_key: key, rules })),
    ...(await deps.listWaitingRules(write)),
  ]
  const reach = await findReach(edit)
  const touched = new Set<string>()
  for (const { flag_key, rules } of affected) {
    if (await isTouched(rules, edit, reach)) touched.add(flag_key)
  }
  return [...touched].map((key) => ({ path: '/segments', message: describeTouched(key) }))
}
