import { type AttributeValue, deepEqual, type EvaluationContext, type JsonValue } from '@burgee/evaluation'
import type { Flags } from './closure.ts'
import type { Exploration } from './exploration.ts'
import { type Path, pathConditionOf, witnessOf } from './path.ts'
import type { Steps } from './steps.ts'

/** The part of a result that a program sees. */
export interface Given {
  readonly value: JsonValue
  readonly enabled: boolean
}

/** A user with a text or none as the key. */
export interface Witness {
  readonly userKey: string | null
  readonly attributes: Readonly<Record<string, AttributeValue>>
}

/** The result that a set is expected to give. */
export interface Expected {
  readonly flags: Flags
  readonly given: Given
  /** Another flag than the explored one. */
  readonly key?: string
}

const TRIES_MAX = 2000
const USER_KEY = '$user_key'

/** Returns whether two results are the same to a program. */
export const isSame = (one: Given, other: Given): boolean =>
  one.enabled === other.enabled && deepEqual(one.value, other.value)

/** Returns a user of the path for whom every set gives what is expected; null where none was found. */
export function* confirm(
  exploration: Exploration,
  path: Path,
  key: string,
  expected: readonly Expected[],
): Steps<Witness | null> {
  const tries = path.places.size > 0 ? TRIES_MAX : 1
  for (let index = 0; index < tries; index++) {
    const witness = tryWitness(exploration, path, index)
    if (!(yield* fits(exploration, witness, key, expected))) continue
    const plain = withOwnKey(witness)
    return plain && (yield* fits(exploration, plain, key, expected)) ? plain : witness
  }
  return null
}

/** Each evaluation may take all the steps that one may take. */
function* fits(
  { spendTime }: Exploration,
  user: Witness,
  key: string,
  expected: readonly Expected[],
): Steps<boolean> {
  for (const { flags, given, key: other = key } of expected) {
    spendTime()
    yield
    if (!isSame(flags.evaluate(other, user as EvaluationContext), given)) return false
  }
  return true
}

/** Returns the user whose key is the value of the attribute `$user_key`; null without such a text. */
function withOwnKey({ attributes: { [USER_KEY]: userKey, ...attributes } }: Witness): Witness | null {
  return typeof userKey === 'string' ? { userKey, attributes } : null
}

/** Returns a user of the path; a further index gives other texts to hash. */
function tryWitness(exploration: Exploration, path: Path, index: number): Witness {
  const attributes = [...path.conditions.keys()].flatMap((name): [string, AttributeValue][] => {
    const condition = pathConditionOf(path, name)
    if (name === USER_KEY && exploration.userKey !== undefined) return []
    const value = witnessOf(condition, exploration.classesOf(name))
    // Without it the key would count.
    if (value === null || value === undefined)
      return name === USER_KEY && path.hasKey !== false ? [[name, []]] : []
    const isOpen = index > 0 && condition.isScalar === true && condition.positive.length === 0
    return [[name, isOpen ? `${value}-${index}` : value]]
  })
  const userKey = path.hasKey === false ? null : (exploration.userKey ?? `user-${index}`)
  return { userKey, attributes: Object.fromEntries(attributes) }
}
