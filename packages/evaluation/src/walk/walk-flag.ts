import { type Fields, listOf } from '../assert-valid.ts'
import { deepEqual } from '../deep-equal.ts'
import { readShare } from '../extension/division.ts'
import type { Condition } from '../flag.ts'
import { readValue } from '../read-value.ts'
import { positiveOf } from './attribute-classes.ts'
import { NO_FLAG, sees, type WalkedFlag } from './closure.ts'
import type { Branches, Ground, Outcome } from './ground.ts'
import { demand, type Path } from './path.ts'
import { walkChoice, walkRollout } from './walk-division.ts'

/** Yields every outcome of a flag for the users of a path. Paths are disjoint, and together are all users. */
export function* walkFlag(ground: Ground, key: string, start: Path, levels: number): Generator<Outcome> {
  ground.spendPath()
  const flag = ground.flags.get(key)
  if (!flag || flag.fault) {
    yield { path: start, value: flag?.fault?.value ?? null, enabled: false }
    return
  }
  const { disabled, fields } = flag
  for (const [path, isMet] of walkPrerequisites(ground, listOf(fields.prerequisites), 0, start, levels)) {
    if (!isMet || !fields.is_enabled) yield { path, value: disabled, enabled: false }
    else yield* walkRules(ground, flag, 0, path)
  }
}

function* walkPrerequisites(
  ground: Ground,
  prerequisites: readonly Fields[],
  index: number,
  start: Path,
  levels: number,
): Branches {
  const prerequisite = prerequisites[index]
  if (!prerequisite) {
    yield [start, true]
    return
  }
  if (levels === 0) {
    yield [start, false]
    return
  }
  const required = readValue('json', prerequisite.required_value, null)
  for (const { path, value, enabled } of walkFlag(ground, String(prerequisite.flag_key), start, levels - 1)) {
    if (!enabled || (required !== null && !deepEqual(value, required))) yield [path, false]
    else yield* walkPrerequisites(ground, prerequisites, index + 1, path, levels)
  }
}

function* walkRules(ground: Ground, flag: WalkedFlag, index: number, start: Path): Generator<Outcome> {
  ground.spendPath()
  const { disabled, fields, standard, type } = flag
  const rule = listOf(fields.rules)[index]
  if (!rule) {
    const share = readShare(fields.rollout_percentage, fields.rollout_thousandths)
    for (const [path, isInside] of walkRollout(ground, flag, {}, share, start, false)) {
      if (isInside) yield* walkChoice(ground, flag, {}, fields.variants, standard, path)
      else yield { path, value: disabled, enabled: false }
    }
    return
  }
  const tests = [rule, ...listOf(rule.conditions)] as unknown as Condition[]
  for (const [path, matches] of walkTests(ground, flag, rule, tests, 0, start)) {
    if (!matches) yield* walkRules(ground, flag, index + 1, path)
    else if (rule.off) yield { path, value: disabled, enabled: false }
    else {
      const value = type === 'boolean' || readValue(type, rule.variant, standard)
      yield* walkChoice(ground, flag, rule, rule.variants, value, path)
    }
  }
}

function* walkTests(
  ground: Ground,
  flag: WalkedFlag,
  rule: Fields,
  tests: readonly Condition[],
  index: number,
  start: Path,
): Branches {
  const test = tests[index]
  if (!test) {
    const isShared = (rule.rollout_percentage ?? rule.rollout_thousandths) != null
    const share = readShare(rule.rollout_percentage, rule.rollout_thousandths)
    if (isShared) yield* walkRollout(ground, flag, rule, share, start, true)
    else yield [start, true]
    return
  }
  for (const [path, holds] of walkCondition(ground, flag, test, start))
    if (holds) yield* walkTests(ground, flag, rule, tests, index + 1, path)
    else yield [path, false]
}

/** Yields the users of a path who meet every condition. */
export function* walkWhen(ground: Ground, when: readonly Condition[], start: Path): Generator<Path> {
  for (const [path, holds] of walkTests(ground, NO_FLAG, {}, when, 0, start)) if (holds) yield path
}

function* walkCondition(ground: Ground, flag: WalkedFlag, condition: Condition, start: Path): Branches {
  const { attribute, operator, values } = condition
  const positive = positiveOf(operator)
  const isNegated = positive !== operator
  if (values.length === 0 && positive !== 'is_set') yield [start, false]
  else if (!sees(flag, attribute)) yield [start, isNegated]
  else if (operator === 'not_equals') yield* walkUnequal(ground, attribute, [...new Set(values)], start)
  else {
    const classes = ground.classesOf(attribute)
    const mask = classes.maskOf(positive, values)
    const isPresence = positive === 'is_set'
    const met = demand(start, attribute, classes, isPresence ? { isPresent: true } : { positive: [mask] })
    const missed = demand(start, attribute, classes, isPresence ? { isPresent: false } : { negative: mask })
    if (met) yield [met, !isNegated]
    if (missed) yield [missed, isNegated]
  }
}

/** `not_equals` holds where at least one of the values is missing: cut by the first that is. */
function* walkUnequal(ground: Ground, attribute: string, values: readonly string[], start: Path): Branches {
  const classes = ground.classesOf(attribute)
  let path: Path | null = start
  for (const value of values) {
    if (!path) return
    const mask = classes.maskOf('equals', [value])
    const missing = demand(path, attribute, classes, { negative: mask })
    if (missing) yield [missing, true]
    path = demand(path, attribute, classes, { positive: [mask] })
  }
  if (path) yield [path, false]
}
