import type { Hash, JsonValue } from '@burgee/evaluation'
import { type Fields, listOf } from '../../evaluation/src/assert-valid.ts'
import { readDivision, THOUSANDTHS } from '../../evaluation/src/extension/division.ts'
import {
  POSITIONS,
  positionName,
  rolloutPosition,
  variantPosition,
} from '../../evaluation/src/hashes/position.ts'
import { readValue } from '../../evaluation/src/read-value.ts'
import { type ExploredFlag, sees } from './closure.ts'
import type { Branches, Exploration, Outcome } from './exploration.ts'
import { constrain, cut, type Path } from './path.ts'

const USER_KEY = '$user_key'

/** Branches by whether the user has a text that is hashed. */
function* exploreKey(exploration: Exploration, flag: ExploredFlag, rule: Fields, start: Path): Branches {
  const attribute = rule.bucket_by ?? flag.fields.bucket_by
  if (attribute == null) {
    if (start.hasKey !== false) yield [{ ...start, hasKey: true }, true]
    if (start.hasKey !== true) yield [{ ...start, hasKey: false }, false]
    return
  }
  const name = String(attribute)
  if (!sees(flag, name)) {
    yield [start, false]
    return
  }
  for (const isScalar of [true, false]) {
    const path = constrain(start, name, exploration.classesOf(name), { isScalar })
    if (path) yield [path, isScalar]
  }
}

/** Branches by whether a user is inside a share. */
export function* exploreRollout(
  exploration: Exploration,
  flag: ExploredFlag,
  rule: Fields,
  share: number,
  start: Path,
  isOfRule: boolean,
): Branches {
  if (share === THOUSANDTHS && !isOfRule) {
    yield [start, true]
    return
  }
  for (const [path, hasKey] of exploreKey(exploration, flag, rule, start)) {
    if (!hasKey || share === 0 || share === THOUSANDTHS) {
      yield [path, hasKey && share > 0]
      continue
    }
    const [inside, outside] = cutShare(exploration, flag, rule, path, null, share / THOUSANDTHS)
    if (inside) yield [inside, true]
    if (outside) yield [outside, false]
  }
}

/** Yields the variants, or the other value where nothing places a user. */
export function* exploreChoice(
  exploration: Exploration,
  flag: ExploredFlag,
  rule: Fields,
  variants: unknown,
  otherwise: JsonValue,
  start: Path,
): Generator<Outcome> {
  const weighted = listOf(variants)
  if (weighted.length === 0) {
    yield { path: start, value: otherwise, enabled: true }
    return
  }
  const total = weighted.reduce((sum, { weight }) => sum + Number(weight), 0)
  for (const [keyed, hasKey] of exploreKey(exploration, flag, rule, start)) {
    if (!hasKey) {
      yield { path: keyed, value: otherwise, enabled: true }
      continue
    }
    let rest: Path | null = keyed
    let sum = 0
    for (const { weight, value } of weighted) {
      if (!rest) break
      sum += Number(weight)
      const [chosen, later]: Cut = cutShare(exploration, flag, rule, rest, total, sum / total)
      if (chosen) yield { path: chosen, value: readValue(flag.type, value, null), enabled: true }
      rest = later
    }
  }
}

type Cut = [Path | null, Path | null]

/**
 * Cuts a path by the place of its users.
 *
 * @param total The sum of the weights; null for a rollout.
 */
function cutShare(
  exploration: Exploration,
  { fields }: ExploredFlag,
  rule: Fields,
  path: Path,
  total: number | null,
  share: number,
): Cut {
  const { hash, rolloutSalt, variantSalt } = readDivision(fields, rule)
  const salt = total === null ? rolloutSalt : variantSalt
  const bucketBy = rule.bucket_by ?? fields.bucket_by ?? null
  const attribute = bucketBy === USER_KEY ? null : bucketBy
  // The same text is placed the same way wherever this is equal.
  const variable = JSON.stringify([attribute, salt, positionName(hash, total)])
  const isKnown = exploration.userKey !== undefined && attribute === null
  if (!isKnown || path.places.has(variable)) return cut(path, variable, reachedShare(hash, share))
  const positionOf = total === null ? rolloutPosition(hash, salt) : variantPosition(hash, salt, total)
  const low = positionOf(exploration.userKey)
  return cut({ ...path, places: new Map(path.places).set(variable, { low, high: low }) }, variable, share)
}

/** Returns the share of positions below a bound, of a hash that has few positions. */
function reachedShare(hash: Hash, bound: number): number {
  const count = POSITIONS[hash]
  return count === undefined ? bound : Math.ceil(bound * count - ROUNDING) / count
}

/** Products of shares are not exact in binary. */
const ROUNDING = 1e-6
