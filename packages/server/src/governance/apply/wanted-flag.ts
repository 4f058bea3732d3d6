import { type AppliedFlag, completeShare, type Flag, type FlagInput, findMergePatch } from '@burgee/contract'
import { deepEqual, type JsonValue } from '@burgee/evaluation'
import {
  type FlagOperation,
  type FlagOutcome,
  type OperationMoment,
  operationSteps,
  toFlagContent,
} from '../../targeting/flag-model/index.ts'

/** A flag of an apply that differs from the stored one. */
export interface WantedFlag {
  readonly before: Flag | null
  readonly after: Flag
  readonly operation: FlagOperation
  /** The action and the event of the change. */
  readonly recorded: Pick<FlagOutcome, 'action' | 'event'>
}

interface Wanted {
  readonly before: Flag | null
  readonly fields: AppliedFlag
  /** The name that manages the flag from now on; undefined leaves it. */
  readonly name: string | undefined
  readonly moment: OperationMoment
}

/**
 * Returns the change that gives the flag the wanted fields, each as a whole; null when it has them. Refuses
 * with `invalid` when the result is not a valid flag.
 */
export function* wantedSteps({ before, fields, name, moment }: Wanted): Generator<void, WantedFlag | null> {
  const { archived_at, create = {}, ...given } = fields
  const owned = name === undefined || 'managed_by' in given ? {} : { managed_by: name }
  if (!before) {
    const { archived_at: archived = archived_at, ...first } = create
    // The share of the file clears the other form of it, as it does on the flag that is there next time.
    const fields = completeShare({ ...first, ...completeShare(given) })
    const flag: FlagInput = { is_enabled: false, ...fields, ...owned }
    const operation = { operation: 'replace', flag } as const
    const { after, ...recorded } = yield* operationSteps(null, operation, moment)
    if (!after) throw new Error('a created flag is there afterwards')
    return { before, operation, recorded, after: { ...after, archived_at: archived ? moment.now : null } }
  }
  // A stored flag is a valid input, except that absent extensions stay absent.
  const input = { ...before, ...completeShare(given), ...owned } as FlagInput
  const archived =
    archived_at === undefined ? before.archived_at : archived_at && (before.archived_at ?? moment.now)
  const wanted = { ...toFlagContent(input), archived_at: archived, revision: before.revision }
  yield
  if (deepEqual(before, wanted)) return null
  const { operation, outcome } = yield* toOperation(before, wanted, moment)
  const { after, ...recorded } = outcome
  if (!after) throw new Error('a changed flag is there afterwards')
  return { before, operation, recorded, after }
}

interface Applied {
  readonly operation: FlagOperation
  readonly outcome: FlagOutcome
}

/** Applies a merge patch where one can express the change, otherwise the replacement of the flag. */
function* toOperation(before: Flag, wanted: Flag, moment: OperationMoment): Generator<void, Applied> {
  const fields = new Set([...Object.keys(before), ...Object.keys(wanted)])
  const [old, next] = [asJson(before), asJson(wanted)]
  const patch: Record<string, JsonValue> = {}
  for (const name of fields) {
    const [from, to] = [old[name], next[name]]
    if (isLarge(from) || isLarge(to)) yield
    if (to === undefined) patch[name] = null
    else if (!deepEqual(from, to)) patch[name] = name === 'value_schema' ? to : findMergePatch(from, to).patch
  }
  const edit: FlagOperation = { operation: 'patch', patch }
  const edited = yield* operationSteps(before, edit, moment)
  yield
  if (edited.after && deepEqual(edited.after, wanted)) return { operation: edit, outcome: edited }
  const replacement: FlagOperation = { operation: 'replace', flag: wanted }
  return { operation: replacement, outcome: yield* operationSteps(before, replacement, moment) }
}

/** The parts of a value above which its comparison is a step of its own. */
const LARGE_PARTS = 1_000
/** The characters of a text that count as one part. */
const PART_CHARS = 1_000

/** Returns whether a value has many parts, of which no more than those are counted. */
function isLarge(value: JsonValue | undefined): boolean {
  let left = LARGE_PARTS
  const count = (part: JsonValue | undefined): void => {
    left -= typeof part === 'string' ? 1 + part.length / PART_CHARS : 1
    if (typeof part !== 'object' || part === null) return
    for (const inner of Array.isArray(part) ? part : Object.values(part)) {
      if (left <= 0) return
      count(inner)
    }
  }
  count(value)
  return left <= 0
}

/** A flag is JSON: the database stores it as JSON. */
const asJson = (flag: Flag) => flag as Record<string, JsonValue>
