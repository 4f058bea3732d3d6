import type { Flag, ImpactChange, Warning } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { evaluatedText, type WireFlag } from '../../kernel/wire-flag.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import type { Database } from '../../platform/db/tables.ts'
import { type OperationMoment, toWireFlag } from '../../targeting/flag-model/index.ts'
import { computeWarnings } from '../../targeting/flags/index.ts'
import type { Segments } from '../../targeting/rules/index.ts'
import { applyChange, type Cause, type ChangedState } from './apply-change.ts'
import { type Reader, readEnvironment } from './read-environment.ts'

/** The flags of an environment before changes and after them, and the roots: those that are another. */
export interface ComparedFlags {
  readonly revision: number
  readonly before: ReadonlyMap<string, WireFlag>
  readonly after: ReadonlyMap<string, WireFlag>
  readonly roots: ReadonlyMap<string, Cause>
  /** The warnings of the writes; their paths begin with the key of the flag. */
  readonly warnings: readonly Warning[]
}

export interface ComparisonInput {
  readonly environment_id: string
  readonly changes: readonly ImpactChange[]
  readonly reader: Reader
  /** The time of the changes, and the budget that they share. */
  readonly moment: OperationMoment
}

/** Applies changes to what is read in one snapshot. Refuses what the writes would refuse. */
export async function readCompared(
  db: Kysely<Database>,
  { changes, environment_id, moment, reader }: ComparisonInput,
): Promise<ComparedFlags> {
  const read = await readEnvironment(db, reader, environment_id, changes)
  const state: ChangedState = {
    flags: new Map(read.flags.map((flag) => [flag.key, flag])),
    stored: new Map(read.stored.map((segment) => [segment.key, segment])),
    segments: read.segments,
    causes: new Map(),
  }
  const before = await expandAll(read.flags, read.segments)
  for (const [index, change] of changes.entries()) {
    await shareTurn()
    await applyChange(state, read, { change, index, moment })
  }
  const changed = [...state.causes.keys()].flatMap((key) => state.flags.get(key) ?? [])
  const after = new Map(before)
  for (const key of state.causes.keys()) after.delete(key)
  for (const [key, flag] of await expandAll(changed, state.segments)) after.set(key, flag)
  return {
    revision: read.revision,
    before,
    after,
    roots: await findRoots(state.causes, before, after),
    warnings: await findWarnings(state),
  }
}

/** Returns the flags among the changed ones that evaluate in another way. */
export async function findRoots(
  causes: ReadonlyMap<string, Cause>,
  before: ComparedFlags['before'],
  after: ComparedFlags['after'],
): Promise<ReadonlyMap<string, Cause>> {
  const roots = new Map<string, Cause>()
  for (const [key, cause] of causes) {
    await shareTurn()
    if (textOf(before.get(key)) !== textOf(after.get(key))) roots.set(key, cause)
  }
  return roots
}

/** Returns the warnings of the flags that changes write. */
async function findWarnings({ causes, flags, segments }: ChangedState): Promise<Warning[]> {
  const found: Warning[] = []
  for (const [key, cause] of causes) {
    const flag = cause === 'changed' ? flags.get(key) : undefined
    if (!flag) continue
    for (const warning of await computeWarnings({ flag, flags, segments }))
      found.push({ ...warning, path: `/${key}${warning.path}` })
  }
  return found
}

const textOf = (flag: WireFlag | undefined): string | undefined => flag && evaluatedText(flag)

async function expandAll(flags: readonly Flag[], segments: Segments): Promise<Map<string, WireFlag>> {
  const expanded = new Map<string, WireFlag>()
  for (const flag of flags) {
    await shareTurn()
    if (flag.archived_at === null) expanded.set(flag.key, toWireFlag(flag, segments))
  }
  return expanded
}
