import { type Fields, listOf } from '../assert-valid.ts'
import { readDivision, THOUSANDTHS } from '../extension/division.ts'
import type { Hash, JsonValue } from '../flag.ts'
import { POSITIONS, positionName, rolloutPosition, variantPosition } from '../hashes/position.ts'
import { readValue } from '../read-value.ts'
import { sees, type WalkedFlag } from './closure.ts'
import type { Branches, Ground, Outcome } from './ground.ts'
import { cut, demand, type Path } from './path.ts'

const USER_KEY = '$user_key'

/** Branches by whether the user has a text that is hashed. */
function* walkKey(ground: Ground, flag: WalkedFlag, rule: Fields, start: Path): Branches {
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
    const path = demand(start, name, ground.classesOf(name), { isScalar })
    if (path) yield [path, isScalar]
  }
}

/** Branches by whether a user is inside a share. */
export function* walkRollout(
  ground: Ground,
  flag: WalkedFlag,
  rule: Fields,
  share: number,
  start: Path,
  isOfRule: boolean,
): Branches {
  if (share === THOUSANDTHS && !isOfRule) {
    yield [start, true]
    return
  }
  for (const [path, hasKey] of walkKey(ground, flag, rule, start)) {
    if (!hasKey || share === 0 || share === THOUSANDTHS) {
      yield [path, hasKey && share > 0]
      continue
    }
    const [inside, outside] = cutShare(ground, flag, rule, path, null, share / THOUSANDTHS)
    if (inside) yield [inside, true]
    if (outside) yield [outside, false]
  }
}

/** Yields the variants, or the other value where nothing places a user. */
export function* walkChoice(
  ground: Ground,
  flag: WalkedFlag,
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
  for (const [keyed, hasKey] of walkKey(ground, flag, rule, start)) {
    if (!hasKey) {
      yield { path: keyed, value: otherwise, enabled: true }
      continue
    }
    let rest: Path | null = keyed
    let sum = 0
    for (const { weight, value } of weighted) {
      if (!rest) break
      sum += Number(weight)
      const [chosen, later]: Cut = cutShare(ground, flag, rule, rest, total, sum / total)
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
  ground: Ground,
  { fields }: WalkedFlag,
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
  const isKnown = ground.userKey !== undefined && attribute === null
  if (!isKnown || path.places.has(variable)) return cut(path, variable, reachedShare(hash, share))
  const positionOf = total === null ? rolloutPosition(hash, salt) : variantPosition(hash, salt, total)
  const low = positionOf(ground.userKey)
  return cut({ ...path, places: new Map(path.places).set(variable, { low, high: low }) }, variable, share)
}

/** Returns the share of positions below a bound, of a hash that has few positions. */
function reachedShare(hash: Hash, bound: number): number {
  const count = POSITIONS[hash]
  return count === undefined ? bound : Math.ceil(bound * count - ROUNDING) / count
}

/** Products of shares are not exact in binary. */
const ROUNDING = 1e-6
