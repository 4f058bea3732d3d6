import type { AttributeClasses } from './attribute-classes.ts'

/** The part of a path condition that is about one attribute. */
export interface PathCondition {
  readonly isPresent?: boolean
  /** True for one value: neither absent nor an array. */
  readonly isScalar?: boolean
  /** Each is met by at least one element. */
  readonly positive: readonly bigint[]
  /** No element meets any of them. */
  readonly negative: bigint
}

/** Places between 0 and 1, without the upper bound; one place where both bounds are equal. */
interface Interval {
  readonly low: number
  readonly high: number
}

/** The path condition: which users have taken the same branches so far. */
export interface Path {
  readonly conditions: ReadonlyMap<string, PathCondition>
  readonly places: ReadonlyMap<string, Interval>
  /** Absent while nothing has asked for it. */
  readonly hasKey?: boolean
}

export const START: Path = { conditions: new Map(), places: new Map() }
const FREE: PathCondition = { positive: [], negative: 0n }

/** Returns what the path requires of an attribute. */
export const pathConditionOf = (path: Path, name: string): PathCondition => path.conditions.get(name) ?? FREE

/** Returns the path with a further condition, null when no user meets it. */
export function constrain(
  path: Path,
  name: string,
  classes: AttributeClasses,
  further: Partial<PathCondition>,
): Path | null {
  const before = pathConditionOf(path, name)
  for (const field of ['isPresent', 'isScalar'] as const)
    if (further[field] !== undefined && before[field] !== undefined && further[field] !== before[field])
      return null
  const after: PathCondition = {
    ...before,
    ...further,
    positive: [...before.positive, ...(further.positive ?? [])],
    negative: before.negative | (further.negative ?? 0n),
  }
  if (witnessOf(after, classes) === undefined) return null
  return { ...path, conditions: new Map(path.conditions).set(name, after) }
}

/** Returns the path of the users of both, wherever they are placed; null for none. */
export function meet(path: Path, other: Path, classesOf: (name: string) => AttributeClasses): Path | null {
  const { hasKey = other.hasKey } = path
  if (other.hasKey !== undefined && other.hasKey !== hasKey) return null
  let met: Path | null = {
    conditions: path.conditions,
    places: new Map(),
    ...(hasKey !== undefined && { hasKey }),
  }
  for (const [name, further] of other.conditions) met = met && constrain(met, name, classesOf(name), further)
  return met
}

/** Returns the share of the users of a path that its places hold. */
export const shareOf = ({ places }: Path): number =>
  [...places.values()].reduce((share, { low, high }) => share * (high - low), 1)

/**
 * Returns whether the places of a path are independent of each other, so that their shares multiply. Those
 * of one text and one salt are not, where a hash divides by different sums of weights.
 */
export function isIndependent({ places }: Path): boolean {
  const salts = new Set<string>()
  for (const variable of places.keys()) {
    const [attribute, salt, name] = JSON.parse(variable) as [string | null, string, string]
    if (!name.includes(' of ')) continue
    const text = JSON.stringify([attribute, salt, name.slice(0, name.indexOf(' '))])
    if (salts.has(text)) return false
    salts.add(text)
  }
  return true
}

/** Returns a value that meets a condition: null for an absent attribute, undefined where there is none. */
export function witnessOf(
  { isPresent, isScalar, positive, negative }: PathCondition,
  { classes, fillersOf }: AttributeClasses,
): string | string[] | null | undefined {
  const mustExist = isPresent === true || isScalar === true || positive.length > 0
  if (isPresent === false || !mustExist) return mustExist ? undefined : null
  const allowed = classes.filter(({ bits }) => (bits & negative) === 0n)
  const single = allowed.find(({ bits, isLate }) => !isLate && positive.every((mask) => (bits & mask) !== 0n))
  if (single && isScalar !== false) return single.witness
  if (isScalar === true || allowed.length === 0) return undefined
  const elements = positive.map((mask) => allowed.find(({ bits }) => (bits & mask) !== 0n))
  const [first] = allowed
  if (elements.length === 0 && first) elements.push(first)
  const texts = elements.flatMap((element) => (element ? [element.witness] : []))
  if (texts.length < elements.length) return undefined
  if (!elements.some((element) => element?.isLate)) return texts
  const searched = elements.flatMap((element) => (element && !element.isLate ? [element.witness] : []))
  const late = elements.flatMap((element) => (element?.isLate ? [element.witness] : []))
  return [...searched, ...fillersOf(negative), ...late]
}

/** Returns the paths below a share and from it on; null where there is no such place. */
export function cut(path: Path, variable: string, share: number): [Path | null, Path | null] {
  const { low, high } = path.places.get(variable) ?? { low: 0, high: 1 }
  // The place of a known user.
  if (low === high) return low < share ? [path, null] : [null, path]
  const part = (from: number, to: number) =>
    from < to ? { ...path, places: new Map(path.places).set(variable, { low: from, high: to }) } : null
  return [part(low, Math.min(high, share)), part(Math.max(low, share), high)]
}
