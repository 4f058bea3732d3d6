import type { Condition } from '@burgee/evaluation'
import { type AttributeClasses, divide } from './attribute-classes.ts'
import { closureOf, conditionsOf, type ExploredFlag, type Flags, sees } from './closure.ts'
import type { Exploration } from './exploration.ts'
import { createBudget, type ExplorationLimits } from './limits.ts'
import { constrain, type Path, START } from './path.ts'
import { runSteps, type Steps } from './steps.ts'

const USER_KEY = '$user_key'

/** One exploration for each set: classes are shared, so that their paths can be compared. */
export interface Explorations {
  readonly explorations: readonly Exploration[]
  readonly start: Path
  /** The attributes of which not every value is known to belong to a class. */
  readonly incomplete: readonly string[]
}

/**
 * Prepares the exploration of a flag in several sets, or of several flags.
 *
 * @param further Conditions on users that are no flag's.
 * @param userKey The only user that is explored, null for an anonymous one; absent for all.
 */
export function* createExplorations(
  sets: readonly Flags[],
  keys: string | readonly string[],
  limits?: ExplorationLimits,
  userKey?: string | null,
  further: readonly Condition[] = [],
): Steps<Explorations> {
  const { spendPath, spendTime } = createBudget(limits)
  const closures: Map<string, ExploredFlag>[] = []
  for (const set of sets) {
    const closure = new Map<string, ExploredFlag>()
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
  const explorations = closures.map(
    (flags): Exploration => ({ flags, ...known, classesOf, spendPath, spendTime }),
  )
  return {
    explorations,
    start: userKey === undefined ? START : startOf(userKey, classesOf(USER_KEY)),
    incomplete: userKey === undefined ? incomplete : incomplete.filter((name) => name !== USER_KEY),
  }
}

function conditionsByAttribute(
  flags: readonly ExploredFlag[],
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
  return constrain(start, USER_KEY, classes, known) ?? start
}
