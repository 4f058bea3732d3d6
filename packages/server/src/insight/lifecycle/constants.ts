import { constantInSteps, type Steps } from '@burgee/analysis'
import type { JsonValue } from '@burgee/evaluation'
import type { EvaluationSet, EvaluationSets } from '../../kernel/evaluation-set.ts'
import { inShortTurns } from '../../platform/concurrency/turns.ts'

/** The value that every possible user gets of a flag. */
interface ConstantValue {
  readonly value: JsonValue
}

/** The values that are proved of the flags of an environment. */
export interface ProvedConstants {
  /** By the key of the flag. */
  readonly values: ReadonlyMap<string, ConstantValue>
  /** False where flags are left for the next request. */
  readonly isWhole: boolean
}

/** The flags that are decided. */
interface Wanted {
  /** The one flag; null for all. */
  readonly key: string | null
  /** The revision that the flags must have reached. */
  readonly revision: number
}

/** Proves which flags give every possible user one value. It remembers what it has decided. */
export interface Constants {
  /**
   * Decides about all flags of an environment, or the named one, as far as the time allows. Nothing is proved
   * while this instance has not received the revision.
   */
  prove(environment_id: string, wanted: Wanted): Promise<ProvedConstants>
}

/** The time of one exploration, with others between its steps. A flag that needs more has no proof. */
const EXPLORATION_MS = 250
/** The time of all explorations of one request. The next request goes on with the flags that are left. */
const REQUEST_MS = 2_000

/** Flags with prerequisites are decided again in each revision of their environment. */
interface OfRevision {
  readonly revision: number
  readonly decided: Map<string, ConstantValue | null>
}

const NOTHING: ProvedConstants = { values: new Map(), isWhole: false }

export function createConstants(sets: Pick<EvaluationSets, 'get' | 'whenReached'>): Constants {
  /** Flags without prerequisites, whose object is replaced when they change. */
  const byFlag = new WeakMap<object, ConstantValue | null>()
  const byRevision = new WeakMap<EvaluationSet, OfRevision>()

  function memoryOf(set: EvaluationSet): OfRevision['decided'] {
    const known = byRevision.get(set)
    if (known?.revision === set.revision) return known.decided
    const fresh = { revision: set.revision, decided: new Map<string, ConstantValue | null>() }
    byRevision.set(set, fresh)
    return fresh.decided
  }

  function* decide(set: EvaluationSet, key: string): Steps<ConstantValue | null> {
    const flag = Object(set.flags.get(key))
    const isAlone = (flag.prerequisites ?? []).length === 0
    // Of this revision, whatever is written during the exploration.
    const memory = memoryOf(set)
    const known = isAlone ? byFlag.get(flag) : memory.get(key)
    if (known !== undefined) return known
    const end = Date.now() + EXPLORATION_MS
    const found = yield* constantInSteps(set.flags, key, { time: EXPLORATION_MS })
    const constant = found.verdict === 'constant' ? { value: found.given.value } : null
    // The time of a busy moment reveals nothing about the flag.
    if (found.verdict === 'undecided' && Date.now() > end) return null
    if (isAlone) byFlag.set(flag, constant)
    else memory.set(key, constant)
    return constant
  }

  function* decideAll(set: EvaluationSet, keys: readonly string[]): Steps<ProvedConstants> {
    const values = new Map<string, ConstantValue>()
    const end = Date.now() + REQUEST_MS
    for (const key of keys) {
      if (Date.now() > end) return { values, isWhole: false }
      const constant = yield* decide(set, key)
      if (constant) values.set(key, constant)
      yield
    }
    return { values, isWhole: true }
  }

  return {
    async prove(environment_id, { key, revision }) {
      const set = await sets.get(environment_id)
      if (!set) return { ...NOTHING, isWhole: true }
      await sets.whenReached(set, revision)
      if (set.revision < revision) return NOTHING
      const keys = key === null ? set.keys('server') : [key].filter((one) => set.flags.has(one))
      return inShortTurns(decideAll(set, keys))
    },
  }
}
