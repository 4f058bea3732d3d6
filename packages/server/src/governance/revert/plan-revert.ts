import type { Flag, RevertConflict, Segment } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import type { EnvironmentWrite } from '../../changes/index.ts'
import { escapePointer } from '../../kernel/hygiene.ts'
import { invalid, notFound, Refusal } from '../../kernel/refusal.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import { findFlag } from '../../targeting/flags/index.ts'
import { findSegment } from '../../targeting/segments/index.ts'
import { countEntryBytes, findEntries, findLatestEntry, type RevertedEntry } from './queries.ts'
import { changedFields, type Fields, undoFields } from './undo-fields.ts'

/** A flag or a segment, as it is and as it becomes. */
export interface PlannedUndo<T> {
  readonly before: T | null
  /** Null where there is none any more, which archives a flag. */
  after: Fields
  readonly audit_ids: number[]
}

export interface PlannedSegment extends PlannedUndo<Segment> {
  /** The flags that named the key of the segment before it was renamed to it. They keep that key. */
  readonly keptFlags: Set<string>
}

export interface RevertPlan {
  readonly flags: ReadonlyMap<string, PlannedUndo<Flag>>
  readonly segments: ReadonlyMap<string, PlannedSegment>
}

/** The bytes of the states that one undo reads. */
const STATES_MAX_BYTES = 32 * 1024 * 1024
const CONFLICTS_MAX = 100
const SHOWN_VALUE_MAX_CHARS = 1_000

/**
 * Computes the states after an undo, of the newest entry first. Refuses with `not_found` for an entry of
 * elsewhere, with `invalid` for one that changed no flag and no segment, and with `conflict`.
 */
export async function planRevert(write: EnvironmentWrite, audit_ids: readonly number[]): Promise<RevertPlan> {
  const entries = await readEntries(write, audit_ids)
  const flags = new Map<string, PlannedUndo<Flag>>()
  const segments = new Map<string, PlannedSegment>()
  const conflicts: RevertConflict[] = []
  for (const entry of entries) {
    await shareTurn()
    const planned =
      entry.flag_key === ''
        ? await plannedSegment(write, segments, entry)
        : await plannedFlag(write, flags, entry)
    const undone = undoFields(entry, planned.after)
    planned.after = undone.next ?? archived(entry, planned.after, write.now)
    planned.audit_ids.push(entry.id)
    for (const { actual, expected, field } of undone.conflicts.slice(0, CONFLICTS_MAX - conflicts.length))
      conflicts.push(await toConflict(write, entry, { actual, expected, field }))
  }
  conflicts.push(...(await findTakenKeys(write, segments)).slice(0, CONFLICTS_MAX - conflicts.length))
  if (conflicts.length > 0) throw new Refusal('conflict', CONFLICT_TEXT, { conflicts })
  return { flags, segments }
}

/** Returns a conflict for each segment whose earlier key another segment has now. */
async function findTakenKeys(
  write: EnvironmentWrite,
  segments: RevertPlan['segments'],
): Promise<RevertConflict[]> {
  const { environment, tx } = write
  const conflicts: RevertConflict[] = []
  for (const { after, audit_ids, before } of segments.values()) {
    await shareTurn()
    const key = after?.key
    if (typeof key !== 'string' || key === before?.key) continue
    const holder = await findSegment(tx, environment.id, key)
    if (!holder) continue
    const entry = { id: audit_ids[0] ?? 0, flag_key: '', resource: `segment:${before?.key ?? key}` }
    const taken = await toConflict(write, entry, { actual: key, expected: null, field: 'key' })
    const latest = { afterId: entry.id, flag_key: '', resource: `segment:${key}` }
    conflicts.push({ ...taken, changed_by: await findLatestEntry(tx, environment.id, latest) })
  }
  return conflicts
}

const CONFLICT_TEXT =
  'Some fields were changed again later, so nothing was undone. Undo those changes first, or edit the fields.'

/** Undo of the creation of a flag archives it: programs may still evaluate it. */
const archived = ({ after, before, flag_key }: RevertedEntry, current: Fields, now: string): Fields =>
  flag_key !== '' && !before && after && current ? { ...current, archived_at: now } : null

async function readEntries({ environment, tx }: EnvironmentWrite, ids: readonly number[]) {
  if ((await countEntryBytes(tx, environment.id, ids)) > STATES_MAX_BYTES)
    throw invalid([{ path: '/audit_ids', message: 'are too large together; undo them in several parts' }])
  const entries = await findEntries(tx, environment.id, ids)
  if (entries.length < new Set(ids).size) throw notFound('audit entry in this environment')
  const problems = entries.flatMap((entry) => {
    if (isUndoable(entry)) return []
    const message = `is an entry that changed no flag and no segment (${entry.id}); leave it out`
    return [{ path: `/audit_ids/${ids.indexOf(entry.id)}`, message }]
  })
  if (problems.length > 0) throw invalid(problems)
  return entries
}

/** An entry has the states of a flag or of a segment, and not those of a request or a schedule. */
function isUndoable({ after, before, flag_key, resource }: RevertedEntry): boolean {
  const isFlag = flag_key !== '' && [before, after].every((one) => one === null || 'flag_type' in one)
  const isSegment = flag_key === '' && resource?.startsWith('segment:') === true
  return (isFlag || isSegment) && changedFields(before, after).length > 0
}

async function plannedFlag(
  { environment, tx }: EnvironmentWrite,
  flags: Map<string, PlannedUndo<Flag>>,
  { flag_key }: RevertedEntry,
): Promise<PlannedUndo<Flag>> {
  const known = flags.get(flag_key)
  if (known) return known
  const before = (await findFlag(tx, environment.id, flag_key)) ?? null
  const planned = { before, after: asFields(before), audit_ids: [] }
  flags.set(flag_key, planned)
  return planned
}

/** Finds a segment by its id, which a new key does not change. */
async function plannedSegment(
  { environment, tx }: EnvironmentWrite,
  segments: Map<string, PlannedSegment>,
  { after, before, named_before }: RevertedEntry,
): Promise<PlannedSegment> {
  const { id, key } = after ?? before ?? {}
  const known = segments.get(String(id))
  const found = known ? known.before : ((await findSegment(tx, environment.id, String(key))) ?? null)
  const planned = known ?? { before: found, after: asFields(found), audit_ids: [], keptFlags: new Set() }
  // Only the rename to the present key: flags that named a key between are named in its own entry.
  if (key === planned.before?.key) for (const flag of named_before ?? []) planned.keptFlags.add(flag)
  segments.set(String(id), planned)
  return planned
}

/** Flags and segments are JSON: the database stores them as JSON. */
const asFields = (resource: Flag | Segment | null): Fields => resource as Fields

async function toConflict(
  { environment, tx }: EnvironmentWrite,
  { flag_key, id, resource }: Pick<RevertedEntry, 'flag_key' | 'id' | 'resource'>,
  { actual, expected, field }: { actual: JsonValue; expected: JsonValue; field: string | null },
): Promise<RevertConflict> {
  const changed_by = await findLatestEntry(tx, environment.id, { afterId: id, flag_key, resource })
  return {
    audit_id: id,
    ...(flag_key === '' ? { segment_key: resource?.slice('segment:'.length) ?? '' } : { flag_key }),
    path: field === null ? '' : `/${escapePointer(field)}`,
    expected: shown(expected),
    actual: shown(actual),
    changed_by,
  }
}

function shown(value: JsonValue): JsonValue {
  const text = JSON.stringify(value)
  return text.length <= SHOWN_VALUE_MAX_CHARS ? value : `${text.slice(0, SHOWN_VALUE_MAX_CHARS)}…`
}
