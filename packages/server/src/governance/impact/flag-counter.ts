import { createKeyClasses, type KeyClassOf, pairsOf } from '@burgee/analysis'
import type { Impact } from '@burgee/contract'
import type { Attributes, JsonValue } from '@burgee/evaluation'
import type { Cause } from './apply-change.ts'
import type { Comparison } from './compare.ts'

/** A user, with all attributes that rules read, or null where they are not known. */
export interface ComparedUser {
  readonly user_key: string | null
  readonly attributes: Attributes | null
  /** False where none were given or kept, also where none are needed. */
  readonly hasAttributes: boolean
}

type Certainty = 'certain' | 'possible'

/** The users who get another result of one flag. */
export interface FlagCounter {
  /** Counts what the flag does for a user; null when nothing changes. */
  count(user: ComparedUser): Certainty | null
  /** Returns the counted flips, the most frequent first; nothing for a dependant that does not move. */
  toFlag(): Impact['flags']
}

interface CounterInput {
  readonly key: string
  readonly cause: Cause
  /** The places of the present user's key, which flags share. */
  readonly positions: Map<string, number>
  /** The example users of each flip. */
  readonly examplesMax: number
  /** The characters of values and examples that may still be listed, which flags share. */
  readonly listed: { left: number }
}

/** The result of a flag for a user. */
interface Given {
  readonly value: JsonValue
  readonly enabled: boolean
}

type Flip = Impact['flags'][number]['flips'][number]

/** The flips that users of one class may get, and what these are for them. */
interface Explored {
  readonly flips: readonly Flip[]
  readonly flipsAre: Certainty
  readonly userIs: Certainty | null
}

/** The time of one exploration, which runs in one turn. Users of one class share it. */
const EXPLORATION_MS = 20
/** The classes of one flag whose explorations are kept. */
const CLASSES_MAX = 2_000
/** The class of users without a key, which no class of a key is. */
const ANONYMOUS = 'anonymous'
/** The different flips of one flag that are counted apart. */
const FLIPS_MAX = 100

/** Creates the counter of a flag that a comparison has before and after. */
export function createFlagCounter(
  { after, before }: Pick<Comparison, 'after' | 'before'>,
  { cause, examplesMax, key, listed, positions }: CounterInput,
): FlagCounter {
  const flips = new Map<string, Flip>()
  /** Those that are not listed. They count all the same. */
  const others: Flip = { ...NOTHING, certain: 0, possible: 0, examples: [] }
  const explored = new Map<string, Explored>()
  let classOf: KeyClassOf | undefined
  return {
    count({ attributes, user_key }) {
      if (attributes === null) return countExplored(explore(user_key), user_key)
      const from = before.resolve(key, user_key, attributes)
      const to = after.resolve(key, user_key, attributes)
      if (isSame(from, to)) return null
      add(flipOf(from, to), 'certain', user_key)
      return 'certain'
    },
    toFlag() {
      const found = [...flips.values()]
        .filter(({ certain, possible }) => certain + possible > 0)
        .sort((one, other) => other.certain + other.possible - one.certain - one.possible)
      if (found.length + others.certain + others.possible === 0 && cause === 'prerequisite') return []
      const changed = found.reduce((sum, { certain }) => sum + certain, others.certain)
      return [{ flag_key: key, cause, changed, flips: found }]
    },
  }

  function countExplored(
    { flips: may, flipsAre, userIs }: Explored,
    user_key: string | null,
  ): Certainty | null {
    for (const flip of may) add(flip, flipsAre, user_key)
    return userIs
  }

  /** Users of one class share an exploration. */
  function explore(user_key: string | null): Explored {
    classOf ??= createKeyClasses(before, after, key, positions)
    const name = user_key === null ? ANONYMOUS : classOf(user_key)
    const known = name === null ? undefined : explored.get(name)
    if (known) return known
    const { pairs, why } = pairsOf(before, after, key, user_key, { time: EXPLORATION_MS })
    const moved = pairs.filter((pair) => !isSame(pair.before, pair.after))
    // What cannot be decided may be anything: it never counts as certain.
    const isComplete = why === undefined
    const found: Explored = {
      flips: moved.map((pair) => flipOf(pair.before, pair.after)),
      flipsAre: isComplete && pairs.length === 1 ? 'certain' : 'possible',
      userIs:
        moved.length === 0 && isComplete ? null : certaintyOf(isComplete && moved.length === pairs.length),
    }
    if (name !== null && explored.size < CLASSES_MAX) explored.set(name, found)
    return found
  }

  function flipOf(from: Given, to: Given): Flip {
    const text = `${textOf(from)} ${textOf(to)}`
    const known = flips.get(text)
    if (known) return known
    if (flips.size >= FLIPS_MAX || !list(text.length)) return others
    const flip: Flip = {
      ...{ from: from.value, to: to.value, from_enabled: from.enabled, to_enabled: to.enabled },
      ...{ certain: 0, possible: 0, examples: [] },
    }
    flips.set(text, flip)
    return flip
  }

  function add(flip: Flip, certainty: Certainty, user_key: string | null): void {
    flip[certainty] += 1
    if (flip !== others && flip.examples.length < examplesMax && list(user_key?.length ?? 0))
      flip.examples.push(user_key)
  }

  function list(length: number): boolean {
    if (length > listed.left) return false
    listed.left -= length
    return true
  }
}

const certaintyOf = (isCertain: boolean): Certainty => (isCertain ? 'certain' : 'possible')

const NOTHING = { from: null, to: null, from_enabled: false, to_enabled: false }

/** A short text for the usual values. */
const textOf = ({ enabled, value }: Given): string =>
  typeof value === 'boolean' ? `${value} ${enabled}` : JSON.stringify([value, enabled])

const isSame = (one: Given, other: Given): boolean =>
  one.enabled === other.enabled &&
  (one.value === other.value ||
    (typeof one.value === 'object' && JSON.stringify(one.value) === JSON.stringify(other.value)))
