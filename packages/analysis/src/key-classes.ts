import type { Condition, Hash } from '@burgee/evaluation'
import { type Fields, listOf } from '../../evaluation/src/assert-valid.ts'
import { compileAnyCondition } from '../../evaluation/src/compile-any-condition.ts'
import { readDivision, readShare, THOUSANDTHS } from '../../evaluation/src/extension/division.ts'
import { positionName, rolloutPosition, variantPosition } from '../../evaluation/src/hashes/position.ts'
import { closureOf, conditionsOf, type ExploredFlag, type Flags } from './closure.ts'
import { withinLimits } from './limits.ts'
import { runSteps } from './steps.ts'

/** Names the class of a user key; null where there is too much to be compared. */
export type KeyClassOf = (userKey: string | null) => string | null

const USER_KEY = '$user_key'
/** The conditions on the key, their values, and the divisions by it, that are compared. */
const CONDITIONS_MAX = 100
const VALUES_MAX = 20_000
const DIVISIONS_MAX = 200
/** The flags and prerequisites behind a flag, in both sets: some milliseconds. */
const REQUIREMENTS_MAX = 20_000

/** Returns a count of flags with their prerequisites, which throws a RangeError when they are too many. */
function countRequirements(): (flag: ExploredFlag) => void {
  let count = 0
  return ({ fields }) => {
    count += 1 + listOf(fields.prerequisites).length
    if (count > REQUIREMENTS_MAX) throw new RangeError('requirements')
  }
}

/** The places that a division cuts, of all its shares. */
interface Division {
  readonly name: string
  readonly positionOf: (key: string) => number
  readonly cuts: Set<number>
}

/**
 * Creates the classes of user keys for a flag in two sets: keys of one class are placed on the same side of
 * every share and meet the same conditions, so that `pairsOf` is the same for them.
 *
 * @param positions The places of the present key, which flags share. The caller clears it for another key.
 */
export function createKeyClasses(
  before: Flags,
  after: Flags,
  flagKey: string,
  positions: Map<string, number>,
): KeyClassOf {
  const divisions = new Map<string, Division>()
  const tests: Condition[] = []
  const spend = countRequirements()
  for (const set of [before, after]) {
    const closure = withinLimits(
      () => runSteps(closureOf(set, flagKey, spend)),
      () => null,
    )
    if (!closure) return () => null
    for (const flag of closure.values()) {
      if (flag.fault) continue
      for (const condition of conditionsOf(flag)) if (condition.attribute === USER_KEY) tests.push(condition)
      addDivisions(divisions, flag)
    }
  }
  const values = tests.reduce((sum, test) => sum + test.values.length, 0)
  if (tests.length > CONDITIONS_MAX || values > VALUES_MAX || divisions.size > DIVISIONS_MAX)
    return () => null
  const conditions = tests.map((test) => compileAnyCondition(test as unknown as Fields))
  return (userKey) => {
    if (userKey === null) return ''
    let found = ''
    for (const { cuts, name, positionOf } of divisions.values()) {
      const place = positions.get(name) ?? positionOf(userKey)
      positions.set(name, place)
      let passed = 0
      for (const cut of cuts) if (place >= cut) passed += 1
      found += `${passed} `
    }
    for (const holds of conditions) found += holds({ [USER_KEY]: userKey }, userKey) ? '+' : '-'
    return found
  }
}

function addDivisions(divisions: Map<string, Division>, { fields }: ExploredFlag): void {
  for (const rule of [{}, ...listOf(fields.rules)]) {
    const attribute = (rule as Fields).bucket_by ?? fields.bucket_by ?? USER_KEY
    if (attribute === USER_KEY) addDivision(divisions, fields, rule as Fields)
  }
}

function addDivision(divisions: Map<string, Division>, flag: Fields, rule: Fields): void {
  const isOfFlag = Object.keys(rule).length === 0
  const { rollout_percentage, rollout_thousandths, variants } = isOfFlag ? flag : rule
  const { hash, rolloutSalt, variantSalt } = readDivision(flag, rule)
  const share = readShare(rollout_percentage, rollout_thousandths) / THOUSANDTHS
  addCut(divisions, { hash, salt: rolloutSalt, total: null }, share)
  const weights = listOf(variants).map(({ weight }) => Number(weight))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  for (const weight of weights) {
    sum += weight
    addCut(divisions, { hash, salt: variantSalt, total }, sum / total)
  }
}

interface Placed {
  readonly hash: Hash
  readonly salt: string
  /** The sum of the weights; null for a rollout. */
  readonly total: number | null
}

function addCut(divisions: Map<string, Division>, { hash, salt, total }: Placed, cut: number): void {
  if (cut <= 0 || cut >= 1) return
  const name = JSON.stringify([salt, positionName(hash, total)])
  const positionOf = total === null ? rolloutPosition(hash, salt) : variantPosition(hash, salt, total)
  const division = divisions.get(name) ?? { name, positionOf, cuts: new Set() }
  divisions.set(name, division)
  division.cuts.add(cut)
}
