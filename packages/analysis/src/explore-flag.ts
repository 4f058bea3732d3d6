import { type Condition, deepEqual } from '@burgee/evaluation'
import { type Fields, listOf } from '../../evaluation/src/assert-valid.ts'
import { readShare } from '../../evaluation/src/extension/division.ts'
import { readValue } from '../../evaluation/src/read-value.ts'
import { positiveOf } from './attribute-classes.ts'
import { type ExploredFlag, NO_FLAG, sees } from './closure.ts'
import type { Branches, Exploration, Outcome } from './exploration.ts'
import { exploreChoice, exploreRollout } from './explore-division.ts'
import { constrain, type Path } from './path.ts'

/** Yields every outcome of a flag for the users of a path. Paths are disjoint, and together are all users. */
export function* exploreFlag(
  exploration: Exploration,
  key: string,
  start: Path,
  levels: number,
): Generator<Outcome> {
  exploration.spendPath()
  const flag = exploration.flags.get(key)
  if (!flag || flag.fault) {
    yield { path: start, value: flag?.fault?.value ?? null, enabled: false }
    return
  }
  const { disabled, fields } = flag
  for (const [path, isMet] of explorePrerequisites(
    exploration,
    listOf(fields.prerequisites),
    0,
    start,
    levels,
  )) {
    if (!isMet || !fields.is_enabled) yield { path, value: disabled, enabled: false }
    else yield* exploreRules(exploration, flag, 0, path)
  }
}

function* explorePrerequisites(
  exploration: Exploration,
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
  for (const { path, value, enabled } of exploreFlag(
    exploration,
    String(prerequisite.flag_key),
    start,
    levels - 1,
  )) {
    if (!enabled || (required !== null && !deepEqual(value, required))) yield [path, false]
    else yield* explorePrerequisites(exploration, prerequisites, index + 1, path, levels)
  }
}

function* exploreRules(
  exploration: Exploration,
  flag: ExploredFlag,
  index: number,
  start: Path,
): Generator<Outcome> {
  exploration.spendPath()
  const { disabled, fields, standard, type } = flag
  const rule = listOf(fields.rules)[index]
  if (!rule) {
    const share = readShare(fields.rollout_percentage, fields.rollout_thousandths)
    for (const [path, isInside] of exploreRollout(exploration, flag, {}, share, start, false)) {
      if (isInside) yield* exploreChoice(exploration, flag, {}, fields.variants, standard, path)
      else yield { path, value: disabled, enabled: false }
    }
    return
  }
  const tests = [rule, ...listOf(rule.conditions)] as unknown as Condition[]
  for (const [path, matches] of exploreTests(exploration, flag, rule, tests, 0, start)) {
    if (!matches) yield* exploreRules(exploration, flag, index + 1, path)
    else if (rule.off) yield { path, value: disabled, enabled: false }
    else {
      const value = type === 'boolean' || readValue(type, rule.variant, standard)
      yield* exploreChoice(exploration, flag, rule, rule.variants, value, path)
    }
  }
}

function* exploreTests(
  exploration: Exploration,
  flag: ExploredFlag,
  rule: Fields,
  tests: readonly Condition[],
  index: number,
  start: Path,
): Branches {
  const test = tests[index]
  if (!test) {
    const isShared = (rule.rollout_percentage ?? rule.rollout_thousandths) != null
    const share = readShare(rule.rollout_percentage, rule.rollout_thousandths)
    if (isShared) yield* exploreRollout(exploration, flag, rule, share, start, true)
    else yield [start, true]
    return
  }
  for (const [path, holds] of exploreCondition(exploration, flag, test, start))
    if (holds) yield* exploreTests(exploration, flag, rule, tests, index + 1, path)
    else yield [path, false]
}

/** Yields the users of a path who meet every condition. */
export function* exploreWhen(
  exploration: Exploration,
  when: readonly Condition[],
  start: Path,
): Generator<Path> {
  for (const [path, holds] of exploreTests(exploration, NO_FLAG, {}, when, 0, start)) if (holds) yield path
}

function* exploreCondition(
  exploration: Exploration,
  flag: ExploredFlag,
  condition: Condition,
  start: Path,
): Branches {
  const { attribute, operator, values } = condition
  const positive = positiveOf(operator)
  const isNegated = positive !== operator
  if (values.length === 0 && positive !== 'is_set') yield [start, false]
  else if (!sees(flag, attribute)) yield [start, isNegated]
  else if (operator === 'not_equals')
    yield* exploreUnequal(exploration, attribute, [...new Set(values)], start)
  else {
    const classes = exploration.classesOf(attribute)
    const mask = classes.maskOf(positive, values)
    const isPresence = positive === 'is_set'
    const met = constrain(start, attribute, classes, isPresence ? { isPresent: true } : { positive: [mask] })
    const missed = constrain(
      start,
      attribute,
      classes,
      isPresence ? { isPresent: false } : { negative: mask },
    )
    if (met) yield [met, !isNegated]
    if (missed) yield [missed, isNegated]
  }
}

/** `not_equals` holds where at least one of the values is missing: cut by the first that is. */
function* exploreUnequal(
  exploration: Exploration,
  attribute: string,
  values: readonly string[],
  start: Path,
): Branches {
  const classes = exploration.classesOf(attribute)
  let path: Path | null = start
  for (const value of values) {
    if (!path) return
    const mask = classes.maskOf('equals', [value])
    const missing = constrain(path, attribute, classes, { negative: mask })
    if (missing) yield [missing, true]
    path = constrain(path, attribute, classes, { positive: [mask] })
  }
  if (path) yield [path, false]
}
