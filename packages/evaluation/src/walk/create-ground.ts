import type { Condition } from '../flag.ts'
import { type AttributeClasses, divide } from './attribute-classes.ts'
import { closureOf, conditionsOf, type Flags, sees, type WalkedFlag } from './closure.ts'
import type { Ground } from './ground.ts'
import { createBudget, type WalkLimits } from './limits.ts'
import { demand, type Path, START } from './path.ts'
import { runSteps, type Steps } from './steps.ts'

const USER_KEY = '$user_key'

/** One ground for each set: classes are shared, so that their paths can be compared. */
export interface Grounds {
  readonly grounds: readonly Ground[]
  readonly start: Path
  /** The attributes of which not every value is known to belong to a class. */
  readonly incomplete: readonly string[]
}

/**
 * Prepares the walk of a flag in several sets, or of several flags.
 *
 * @param further Conditions on users that are no flag's.
 * @param userKey The only user that is walked, null for an anonymous one; absent for all.
 */
export function* createGrounds(
  sets: readonly Flags[],
  keys: string | readonly string[],
  limits?: WalkLimits,
  userKey?: string | null,
  further: readonly Condition[] = [],
): Steps<Grounds> {
  const { spendPath, spendTime } = createBudget(limits)
  const closures: Map<string, WalkedFlag>[] = []
  for (const set of sets) {
    const closure = new Map<string, WalkedFlag>()
    for (const key of [keys].flat())
      for (const [each, flag] of yield* closureOf(set, key, spendTime)) closure.set(each, flag)
    closures.push(closure)
  }
  const conditions = conditionsByAttribute(
    closures.flatMap((closure) => [...closure.values()]),
    further,
  )
  const divided = new Map<string, AttributeClasses>()
  for (const [name, tests] of conditions) divided.set(name, yield* divide(tests, spendTime))
  const classesOf = (name: string) => {
    const known = divided.get(name) ?? runSteps(divide([], spendTime))
    divided.set(name, known)
    return known
  }
  const incomplete = [...divided].filter(([, classes]) => !classes.isComplete).map(([name]) => name)
  if (typeof userKey === 'string')
    divided.set(USER_KEY, yield* divide(conditions.get(USER_KEY) ?? [], spendTime, userKey))
  const known = typeof userKey === 'string' ? { userKey } : {}
  const grounds = closures.map((flags): Ground => ({ flags, ...known, classesOf, spendPath, spendTime }))
  return {
    grounds,
    start: userKey === undefined ? START : startOf(userKey, classesOf(USER_KEY)),
    incomplete: userKey === undefined ? incomplete : incomplete.filter((name) => name !== USER_KEY),
  }
}

function conditionsByAttribute(
  flags: readonly WalkedFlag[],
  further: readonly Condition[],
): Map<string, Condition[]> {
  const found = new Map<string, Condition[]>()
  const seen = flags.flatMap((flag) => conditionsOf(flag).filter(({ attribute }) => sees(flag, attribute)))
  for (const condition of [...seen, ...further]) {
    const known = found.get(condition.attribute) ?? []
    known.push(condition)
    found.set(condition.attribute, known)
  }
  return found
}

/** The path of one user, whose key is the attribute too. */
function startOf(userKey: string | null, classes: AttributeClasses): Path {
  const start = { ...START, hasKey: userKey !== null }
  const known = userKey === null ? { isPresent: false, isScalar: false } : { isPresent: true, isScalar: true }
  return demand(start, USER_KEY, classes, known) ?? start
}
