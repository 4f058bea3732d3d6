import type { Flag, ImpactChange } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { invalid, notFound } from '../../kernel/refusal.ts'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import type { Database } from '../../platform/db/tables.ts'
import { shareTurn } from '../../platform/turns.ts'
import {
  applyOperation,
  type FlagOperation,
  findFlags,
  findRevision,
  listActiveFlags,
  toWireFlag,
} from '../flags/index.ts'
import { readSegments, type Segments } from '../rules/index.ts'
import {
  afterEdit,
  listSegments,
  planEdit,
  type SegmentContent,
  type SegmentEdit,
} from '../segments/index.ts'

/** Why a flag moves. */
export type Cause = 'changed' | 'segment' | 'prerequisite'

/** The flags of an environment before changes and after them, and the roots: those that are another. */
export interface ComparedFlags {
  readonly revision: number
  readonly before: ReadonlyMap<string, WireFlag>
  readonly after: ReadonlyMap<string, WireFlag>
  readonly roots: ReadonlyMap<string, Cause>
}

interface State {
  readonly flags: Map<string, Flag>
  readonly stored: Map<string, SegmentContent>
  segments: Segments
  readonly causes: Map<string, Cause>
}

/** Applies changes to what is read in one snapshot. Refuses what the writes would refuse. */
export async function readCompared(
  db: Kysely<Database>,
  environment_id: string,
  changes: readonly ImpactChange[],
  now: string,
): Promise<ComparedFlags> {
  const read = await readEnvironment(db, environment_id, changes)
  const state: State = {
    flags: new Map(read.flags.map((flag) => [flag.key, flag])),
    stored: new Map(read.stored.map((segment) => [segment.key, segment])),
    segments: read.segments,
    causes: new Map(),
  }
  const before = await expandAll(read.flags, read.segments)
  for (const [index, change] of changes.entries()) await apply(state, change, { index, now })
  const changed = [...state.causes.keys()].flatMap((key) => state.flags.get(key) ?? [])
  const after = new Map(before)
  for (const key of state.causes.keys()) after.delete(key)
  for (const [key, flag] of await expandAll(changed, state.segments)) after.set(key, flag)
  const roots = [...state.causes].filter(([key]) => textOf(before.get(key)) !== textOf(after.get(key)))
  return { revision: read.revision, before, after, roots: new Map(roots) }
}

/** Reads the active flags, those that are changed, and the segments, in one snapshot of the database. */
async function readEnvironment(
  db: Kysely<Database>,
  environment_id: string,
  changes: readonly ImpactChange[],
) {
  const keys = changes.flatMap((change) => ('flag_key' in change ? [change.flag_key] : []))
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const found = await findRevision(tx, environment_id)
      if (!found) throw notFound('environment')
      const [active, named] = [
        await listActiveFlags(tx, environment_id),
        await findFlags(tx, environment_id, keys),
      ]
      return {
        revision: found.revision,
        flags: [...active, ...named.filter(({ archived_at }) => archived_at !== null)],
        segments: await readSegments(tx, environment_id),
        stored: await listSegments(tx, environment_id),
      }
    })
}

/** The text of what evaluation reads. */
function textOf(flag: WireFlag | undefined): string | undefined {
  if (!flag) return undefined
  const { description: _d, origins: _o, owner_email: _e, revision: _r, tags: _t, ...evaluated } = flag
  return JSON.stringify(evaluated)
}

async function expandAll(flags: readonly Flag[], segments: Segments): Promise<Map<string, WireFlag>> {
  const expanded = new Map<string, WireFlag>()
  for (const flag of flags) {
    await shareTurn()
    if (flag.archived_at === null) expanded.set(flag.key, toWireFlag(flag, segments))
  }
  return expanded
}

interface Step {
  readonly index: number
  readonly now: string
}

async function apply(state: State, change: ImpactChange, step: Step): Promise<void> {
  if ('segment_key' in change) {
    const { patch, segment_key: key } = change
    const planned = planEdit(state.segments, state.stored.get(key) ?? null, { key, patch })
    await applySegment(state, planned.edit)
    state.stored.delete(key)
    if (planned.after) state.stored.set(planned.after.key, planned.after)
    return
  }
  const { flag_key } = change
  const { after } = applyOperation(
    state.flags.get(flag_key) ?? null,
    operationOf(change, step.index),
    step.now,
  )
  if (after) state.flags.set(flag_key, after)
  else state.flags.delete(flag_key)
  state.causes.set(flag_key, 'changed')
}

async function applySegment(state: State, edit: SegmentEdit): Promise<void> {
  for (const [key, flag] of state.flags) {
    await shareTurn()
    const current = afterEdit(flag, edit)
    if (!current) continue
    state.flags.set(key, current)
    if (!state.causes.has(key)) state.causes.set(key, 'segment')
  }
  state.segments = edit.after
}

function operationOf(
  { flag, flag_key, operation, patch }: Extract<ImpactChange, { flag_key: string }>,
  index: number,
): FlagOperation {
  const refuse = (field: string, message: string) =>
    invalid([{ path: `/changes/${index}/${field}`, message }])
  if (operation === 'patch') {
    if (patch === undefined) throw refuse('patch', 'is needed for the operation patch')
    return { operation, patch }
  }
  if (operation !== 'replace') return { operation }
  if (flag === undefined) throw refuse('flag', 'is needed for the operation replace')
  if (flag.key !== flag_key) throw refuse('flag/key', `must be ${flag_key}, as flag_key`)
  return { operation, flag }
}
