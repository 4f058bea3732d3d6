import { deepEqual, type JsonValue } from '@burgee/evaluation'

/** A flag or a segment by its fields; null where there is none. */
export type Fields = Readonly<Record<string, JsonValue>> | null

interface FieldConflict {
  readonly field: string | null
  readonly expected: JsonValue
  readonly actual: JsonValue
}

interface Undone {
  /** The fields afterwards. */
  readonly next: Fields
  readonly conflicts: readonly FieldConflict[]
}

/** The fields that the server assigns. */
const ASSIGNED = new Set(['id', 'environment_id', 'revision', 'created_at', 'updated_at', 'updated_by'])

/** Returns the top-level fields that differ. */
export function changedFields(before: Fields, after: Fields): string[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...names].filter((name) => !ASSIGNED.has(name) && !isSame(before?.[name], after?.[name]))
}

const isSame = (one: JsonValue | undefined, other: JsonValue | undefined): boolean =>
  one === undefined || other === undefined ? one === other : deepEqual(one, other)

/**
 * Undoes a change: each changed field of `current` must be as the change left it, and becomes what it was
 * before. Tags are a set. The undo of a creation has no fields, and what was deleted must not exist.
 */
export function undoFields({ after, before }: { before: Fields; after: Fields }, current: Fields): Undone {
  if (!after) {
    const conflicts = current ? [{ field: null, expected: null, actual: current }] : []
    return { next: before, conflicts }
  }
  if (!current) return { next: null, conflicts: [{ field: null, expected: after, actual: null }] }
  if (!before) return { next: null, conflicts: differencesOf(after, current) }
  const next: Record<string, JsonValue> = { ...current }
  const conflicts: FieldConflict[] = []
  for (const field of changedFields(before, after)) {
    const [from, left, actual] = [before[field], after[field], current[field]]
    const value = isSame(actual, left) ? from : undoTags(field, { from, left, actual })
    if (value === undefined && from !== undefined) conflicts.push(toConflict(field, left, actual))
    else if (value === undefined && !isSame(actual, left)) conflicts.push(toConflict(field, left, actual))
    else if (value === undefined) delete next[field]
    else next[field] = value
  }
  return { next, conflicts }
}

const differencesOf = (expected: NonNullable<Fields>, actual: NonNullable<Fields>) =>
  changedFields(expected, actual).map((field) => toConflict(field, expected[field], actual[field]))

const toConflict = (
  field: string,
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
): FieldConflict => ({ field, expected: expected ?? null, actual: actual ?? null })

interface Tags {
  readonly from: JsonValue | undefined
  readonly left: JsonValue | undefined
  readonly actual: JsonValue | undefined
}

/** Returns the tags without those that were added and with those that were removed; undefined for others. */
function undoTags(field: string, { actual, from, left }: Tags): JsonValue | undefined {
  if (field !== 'tags' || !Array.isArray(from) || !Array.isArray(left) || !Array.isArray(actual)) return
  const without = (tags: JsonValue[], others: ReadonlySet<JsonValue>) =>
    tags.filter((tag) => !others.has(tag))
  const added = new Set(without(left, new Set(from)))
  const removed = without(from, new Set(left))
  const present = new Set(actual)
  const isKept = [...added].every((tag) => present.has(tag)) && !removed.some((tag) => present.has(tag))
  return isKept ? [...without(actual, added), ...removed] : undefined
}
