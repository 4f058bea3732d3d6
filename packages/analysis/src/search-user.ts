import type { AttributeValue, EvaluationContext } from '@burgee/evaluation'
import { listOf } from '../../evaluation/src/assert-valid.ts'
import { conditionsOf, type ExploredFlag, type Flags } from './closure.ts'
import { type Given, isSame, type Witness } from './confirm.ts'
import type { Explorations } from './create-explorations.ts'
import type { Steps } from './steps.ts'

const USERS_MAX = 5_000
const TIME_MAX_MS = 200
const USER_KEY = '$user_key'

/** A user who does not get the same in two sets. */
export interface Difference {
  readonly source: Given
  readonly target: Given
  readonly user: Witness
}

/**
 * Tries random users for one who does not get the same in both sets: where an exploration decides nothing, a
 * difference may still be easy to find. The users are always the same ones.
 */
export function* searchUser(
  { explorations }: Explorations,
  [source, target]: readonly [Flags, Flags],
  flagKey: string,
): Steps<Difference | null> {
  const classesOf = explorations[0]?.classesOf
  if (!classesOf) return null
  const names = new Set(explorations.flatMap(({ flags }) => [...flags.values()].flatMap(attributesOf)))
  const pools = [...names].map(
    (name) => [name, classesOf(name).classes.map(({ witness }) => witness)] as const,
  )
  const random = numbersFrom(1)
  const end = Date.now() + TIME_MAX_MS
  for (let index = 0; index < USERS_MAX && Date.now() < end; index++) {
    yield
    const user = drawUser(pools, index, random)
    const was = source.evaluate(flagKey, user as EvaluationContext)
    yield
    const is = target.evaluate(flagKey, user as EvaluationContext)
    if (!isSame(was, is)) return { source: givenOf(was), target: givenOf(is), user }
  }
  return null
}

const givenOf = ({ enabled, value }: Given): Given => ({ value, enabled })

/** Returns the attributes that rules test, and those that divide users. */
const attributesOf = (flag: ExploredFlag): string[] => [
  ...conditionsOf(flag).map(({ attribute }) => attribute),
  ...[flag.fields, ...listOf(flag.fields.rules)].flatMap(({ bucket_by }) =>
    typeof bucket_by === 'string' ? [bucket_by] : [],
  ),
]

/** Draws for each attribute nothing, a value of one of its classes, or one that hardly another user has. */
function drawUser(
  pools: readonly (readonly [name: string, witnesses: readonly string[]])[],
  index: number,
  random: (below: number) => number,
): Witness {
  const values = new Map<string, AttributeValue>()
  for (const [name, witnesses] of pools) {
    const witness = witnesses[random(witnesses.length)]
    const kind = random(4)
    if (witness === undefined || kind === 0) continue
    values.set(name, kind === 1 ? `${witness}-${index}` : witness)
  }
  const key = values.get(USER_KEY) ?? (random(16) === 0 ? null : `user-${index}`)
  values.delete(USER_KEY)
  return { userKey: typeof key === 'string' ? key : null, attributes: Object.fromEntries(values) }
}

/** Returns a generator of whole numbers from 0 (a linear congruential one, modulo 2^32). */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
