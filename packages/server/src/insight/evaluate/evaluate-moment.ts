import type { Attributes, Evaluation } from '@burgee/evaluation'
import { createExplainer } from '@burgee/evaluation/explain'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import { atOnce, inTurns } from '../../platform/concurrency/turns.ts'
import type { MomentFlags } from './moment-flags.ts'

/** The flags to evaluate, and the user. */
export interface Evaluated {
  readonly keys: readonly string[] | null
  readonly userKey: string | null
  readonly attributes: Attributes
  readonly withTrace: boolean
}

/** Results that belong to one revision: each as the JSON of an item. */
export interface Results {
  readonly revision: number
  readonly items: Iterator<string>
  /** Keeps the revision. Called in the turn in which reading began, when it goes on in another. */
  keep(): void
}

/** The attempts while other requests write. */
const ATTEMPTS_MAX = 3

/** Evaluates flags of one revision, in the order of their keys. The items are encoded when they are read. */
export async function evaluateMoment(moment: MomentFlags, evaluated: Evaluated): Promise<Results> {
  const named = inOrder(evaluated.keys)
  if (evaluated.withTrace) return explainMoment(moment, named, evaluated)
  for (let attempt = 1; ; attempt += 1) {
    const { revision } = moment
    const keys = named ?? moment.keys()
    const steps = evaluateEach(moment, keys, evaluated)
    const results = attempt < ATTEMPTS_MAX ? await inTurns(steps) : atOnce(steps)
    // A change between two turns: some of the results are newer than the others.
    if (moment.revision === revision)
      return { revision, items: encoded(moment, keys, results), keep: () => undefined }
  }
}

const inOrder = (keys: readonly string[] | null): readonly string[] | null =>
  keys && [...new Set(keys)].sort((one, other) => (one < other ? -1 : 1))

function* evaluateEach(
  { flags }: MomentFlags,
  keys: readonly string[],
  { attributes, userKey }: Evaluated,
): Generator<void, readonly Evaluation[]> {
  const results: Evaluation[] = []
  for (const key of keys) {
    results.push(flags.resolve(key, userKey, attributes))
    yield
  }
  return results
}

function* encoded(
  { past }: MomentFlags,
  keys: readonly string[],
  results: readonly Evaluation[],
): Generator<string, void> {
  for (const [at, key] of keys.entries())
    yield JSON.stringify({ flag_key: key, ...results[at], ...past?.ofFlag(key) })
}

/**
 * Explains while the results are read: from the present flags, and after a change from those that were kept.
 */
function explainMoment(
  moment: MomentFlags,
  named: readonly string[] | null,
  { attributes, userKey }: Evaluated,
): Results {
  const user = { userKey, attributes }
  let explain = createExplainer(moment.flags, user)
  let isDetached = false
  let kept: { readonly revision: number; readonly flags: ReadonlyMap<string, unknown> } | undefined
  function* items(): Generator<string, void> {
    for (const key of named ?? moment.keys()) {
      if (kept && !isDetached && kept.revision !== moment.revision) {
        isDetached = true
        explain = createExplainer(kept.flags, user)
      }
      yield JSON.stringify({ flag_key: key, ...explain(key), ...moment.past?.ofFlag(key) })
    }
  }
  return {
    get revision() {
      return kept?.revision ?? moment.revision
    },
    items: items(),
    keep() {
      // A flag is replaced when it changes, and never changed itself. Those of the past are not replaced.
      if (!moment.past) kept = { revision: moment.revision, flags: keepFlags(moment, named ?? moment.keys()) }
    },
  }
}

/** Returns these flags and all that they require: the others of the environment need no copy. */
function keepFlags({ flags }: MomentFlags, keys: readonly string[]): ReadonlyMap<string, unknown> {
  const kept = new Map<string, unknown>()
  const wanted = [...keys]
  for (let key = wanted.pop(); key !== undefined; key = wanted.pop()) {
    if (kept.has(key) || !flags.has(key)) continue
    const flag = flags.get(key) as Pick<WireFlag, 'prerequisites'>
    kept.set(key, flag)
    for (const { flag_key } of flag.prerequisites) wanted.push(flag_key)
  }
  return kept
}
