import type { EvaluateHistoryResult } from '@burgee/contract'
import { type Attributes, deepEqual, type FlagSet } from '@burgee/evaluation'
import type { PastChange } from '../../changes/index.ts'
import type { WireFlag } from '../../kernel/wire-flag.ts'

type PastValue = EvaluateHistoryResult['flags'][number]['values'][number]
type Given = Pick<PastValue, 'value' | 'enabled' | 'reason'>

/** The user, and the flags whose values are requested; null for all. */
interface Replayed {
  readonly userKey: string | null
  readonly attributes: Attributes
  readonly keys: ReadonlySet<string> | null
}

/** The beginning of the window. */
interface Beginning {
  readonly flags: FlagSet
  readonly keys: readonly string[]
  readonly revision: number
  /** ISO 8601 in UTC. */
  readonly from: string
}

/** Follows the values of one user over the changes of an environment. */
export interface Replay {
  /** Evaluates the flags at the beginning. It yields between evaluations. */
  begin(): Generator<void, void>
  /** Applies a change. It yields between evaluations. */
  apply(change: PastChange): Generator<void, void>
  /** Returns the number of values that have moved so far. */
  count(): number
  /** Returns the flags whose value moved, in the order of their keys. */
  result(): EvaluateHistoryResult['flags']
}

/** The levels of prerequisites that are evaluated. */
const PREREQUISITE_LEVELS = 10
const UNKNOWN_AUTHOR = { audit_id: null, actor_email: null, action: null, cause: null } as const
const NOT_FOUND: Given = { value: null, enabled: false, reason: 'FLAG_NOT_FOUND' }

export function createReplay({ flags, from, keys, revision }: Beginning, user: Replayed): Replay {
  const dependants = createDependants()
  const valuesOf = new Map<string, PastValue[]>()
  let moved = 0

  const evaluate = (key: string): Given => {
    const { enabled, reason, value } = flags.resolve(key, user.userKey, user.attributes)
    return { value: value as Given['value'], enabled, reason }
  }

  function record(key: string, change: PastChange): void {
    const { action, actor_email, audit_id, created_at, flag_key, isOfSegment, revision } = change
    const now = evaluate(key)
    const values = valuesOf.get(key) ?? [{ ...UNKNOWN_AUTHOR, from, revision: revision - 1, ...NOT_FOUND }]
    const last = values.at(-1)
    if (last && last.enabled === now.enabled && deepEqual(last.value, now.value)) return
    const cause = key !== flag_key ? 'prerequisite' : isOfSegment ? 'segment' : 'own'
    values.push({ from: created_at, revision, ...now, audit_id, actor_email, action, cause })
    valuesOf.set(key, values)
    moved += 1
  }

  return {
    *begin() {
      for (const key of keys) {
        dependants.link(key, wireOf(flags, key))
        yield
      }
      for (const key of user.keys ?? keys) {
        valuesOf.set(key, [{ ...UNKNOWN_AUTHOR, from, revision, ...evaluate(key) }])
        yield
      }
    },
    *apply(change) {
      const { flag, flag_key, kind } = change
      if (kind === 'none') return
      dependants.unlink(flag_key, wireOf(flags, flag_key))
      if (flag) flags.upsert(flag)
      else flags.remove(flag_key)
      dependants.link(flag_key, flag ?? undefined)
      for (const key of dependants.reach(flag_key)) {
        if (!user.keys || user.keys.has(key)) record(key, change)
        yield
      }
    },
    count: () => moved,
    result: () =>
      [...valuesOf]
        .filter(([, values]) => values.length > 1)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([flag_key, values]) => ({ flag_key, values })),
  }
}

const wireOf = (flags: FlagSet, key: string) => flags.get(key) as WireFlag | undefined

/** Creates an index of the flags that require a flag. */
function createDependants() {
  const requiredBy = new Map<string, Set<string>>()
  return {
    link(key: string, flag: WireFlag | undefined): void {
      for (const { flag_key } of flag?.prerequisites ?? [])
        requiredBy.set(flag_key, (requiredBy.get(flag_key) ?? new Set()).add(key))
    },
    unlink(key: string, flag: WireFlag | undefined): void {
      for (const { flag_key } of flag?.prerequisites ?? []) requiredBy.get(flag_key)?.delete(key)
    },
    /** Returns a flag and all that require it, directly or through others. */
    reach(key: string): ReadonlySet<string> {
      const reached = new Set([key])
      let level: readonly string[] = [key]
      for (let depth = 0; depth < PREREQUISITE_LEVELS && level.length > 0; depth += 1) {
        const next: string[] = []
        for (const each of level) {
          for (const key of requiredBy.get(each) ?? []) {
            if (reached.has(key)) continue
            reached.add(key)
            next.push(key)
          }
        }
        level = next
      }
      return reached
    },
  }
}
