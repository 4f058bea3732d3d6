import type { Impact } from '@burgee/contract'
import { type Attributes, createFlagSet, type FlagSet, type JsonValue } from '@burgee/evaluation'
import { pairsOf } from '@burgee/evaluation/walk'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import type { Cause } from './apply-change.ts'
import type { ComparedFlags } from './read-change.ts'

/** A user, with all attributes that rules read, or null where they are not known. */
export interface ComparedUser {
  readonly user_key: string | null
  readonly attributes: Attributes | null
}

export interface CountedFlips {
  /** The users who were evaluated. */
  readonly known: number
  readonly changed: Impact['changed']
  readonly flags: Impact['flags']
}

/** The result of a flag for a user. */
interface Given {
  readonly value: JsonValue
  readonly enabled: boolean
}

type Flip = Impact['flags'][number]['flips'][number]
type Certainty = 'certain' | 'possible'

/** The evaluations and the time of one computation. Beyond them fewer users are evaluated. */
const EVALUATIONS_MAX = 2_000_000
const TIME_MAX_MS = 5_000
/** The time of one walk, which runs in one turn. */
const WALK_MS = 5
/** The levels of prerequisites that are evaluated, and the flags that are looked at between two turns. */
const PREREQUISITE_LEVELS = 10
const FLAGS_A_STEP = 500
/** The different flips of one flag that are counted apart. */
const FLIPS_MAX = 100

/** Compiled flags before and after, the roots, and the flags that need them. */
export interface Comparison {
  readonly before: FlagSet
  readonly after: FlagSet
  readonly causes: ReadonlyMap<string, Cause>
  /** The attributes that decide about these flags. */
  readonly attributes: ReadonlySet<string>
}

/** Compiles the roots, the flags that need them, and everything that decides about these. */
export function* compare({ after, before, roots }: ComparedFlags): Generator<void, Comparison> {
  const causes = new Map(roots)
  const all = [...new Set([...before.keys(), ...after.keys()])]
  for (let level = 0; level < PREREQUISITE_LEVELS; level += 1) {
    const known = causes.size
    for (const [nth, key] of all.entries()) {
      if (nth % FLAGS_A_STEP === 0) yield
      const needs = [before.get(key), after.get(key)].flatMap((flag) => flag?.prerequisites ?? [])
      if (causes.has(key) || !needs.some(({ flag_key }) => causes.has(flag_key))) continue
      causes.set(key, 'prerequisite')
    }
    if (causes.size === known) break
  }
  const sets = [createFlagSet(), createFlagSet()] as const
  const attributes = new Set<string>()
  for (const [set, flags] of [
    [sets[0], before],
    [sets[1], after],
  ] as const) {
    for (const flag of closure(flags, [...causes.keys()])) {
      set.upsert(flag)
      for (const name of attributesOf(flag)) attributes.add(name)
      yield
    }
  }
  return { before: sets[0], after: sets[1], causes, attributes }
}

function* closure(flags: ReadonlyMap<string, WireFlag>, keys: readonly string[]): Generator<WireFlag> {
  const seen = new Set(keys)
  for (const key of seen) {
    const flag = flags.get(key)
    if (!flag) continue
    yield flag
    for (const { flag_key } of flag.prerequisites) seen.add(flag_key)
  }
}

function* attributesOf({ rules, ...flag }: WireFlag): Generator<string> {
  for (const divided of [flag, ...rules]) if (typeof divided.bucket_by === 'string') yield divided.bucket_by
  for (const rule of rules) {
    if (rule.attribute) yield rule.attribute
    for (const { attribute } of rule.conditions ?? []) if (attribute) yield attribute
  }
}

/** Evaluates users before and after. It yields between flags. */
export function* countFlips(
  { after, before, causes }: Comparison,
  users: readonly ComparedUser[],
  examplesMax: number,
): Generator<void, CountedFlips> {
  const counts = new Map([...causes.keys()].map((key) => [key, new Map<string, Flip>()]))
  const roots = [...causes].flatMap(([key, cause]) => (cause === 'prerequisite' ? [] : [key]))
  const others = [...causes].flatMap(([key, cause]) => (cause === 'prerequisite' ? [key] : []))
  const changed = { certain: 0, possible: 0 }
  const end = Date.now() + TIME_MAX_MS
  let evaluations = 0
  let known = 0
  for (const user of users) {
    if (evaluations > EVALUATIONS_MAX || Date.now() > end) break
    const found = new Set<Certainty | null>()
    for (const key of roots) {
      found.add(count(key, user))
      yield
    }
    const moves = found.has('certain') || found.has('possible')
    for (const key of moves ? others : []) {
      found.add(count(key, user))
      yield
    }
    evaluations += 2 * (moves ? causes.size : roots.length)
    known += 1
    if (found.has('certain')) changed.certain += 1
    else if (found.has('possible')) changed.possible += 1
  }
  return { known, changed, flags: [...causes].flatMap(([key, cause]) => toFlag(key, cause, counts.get(key))) }

  /** Counts what one flag does for a user; null when nothing changes. */
  function count(key: string, user: ComparedUser): Certainty | null {
    const { flips, isComplete } =
      user.attributes === null ? walk(key, user.user_key) : { flips: [evaluate(key, user)], isComplete: true }
    const moved = flips.filter(({ from, to }) => !isSame(from, to))
    // What cannot be decided may be anything: it never counts as certain.
    if (moved.length === 0) return isComplete ? null : 'possible'
    const certainty: Certainty = isComplete && flips.length === 1 ? 'certain' : 'possible'
    for (const flip of moved) add(counts.get(key), { ...flip, certainty, user_key: user.user_key })
    return isComplete && flips.length === moved.length ? 'certain' : 'possible'
  }

  function evaluate(key: string, { attributes, user_key }: ComparedUser) {
    return { from: before.resolve(key, user_key, attributes), to: after.resolve(key, user_key, attributes) }
  }

  function walk(key: string, user_key: string | null) {
    const { pairs, why } = pairsOf(before, after, key, user_key, { time: WALK_MS })
    const flips = pairs.map((pair) => ({ from: pair.before, to: pair.after }))
    return { flips, isComplete: why === undefined }
  }

  function add(flips: Map<string, Flip> | undefined, { certainty, from, to, user_key }: Counted): void {
    const text = JSON.stringify([from.value, from.enabled, to.value, to.enabled])
    const flip = flips?.get(text) ?? {
      ...{ from: from.value, to: to.value, from_enabled: from.enabled, to_enabled: to.enabled },
      ...{ certain: 0, possible: 0, examples: [] },
    }
    flip[certainty] += 1
    if (flip.examples.length < examplesMax) flip.examples.push(user_key)
    if (flips && (flips.has(text) || flips.size < FLIPS_MAX)) flips.set(text, flip)
  }
}

interface Counted {
  readonly from: Given
  readonly to: Given
  readonly certainty: Certainty
  readonly user_key: string | null
}

const isSame = (one: Given, other: Given): boolean =>
  one.enabled === other.enabled && JSON.stringify(one.value) === JSON.stringify(other.value)

function toFlag(flag_key: string, cause: Cause, flips: Map<string, Flip> | undefined): Impact['flags'] {
  const found = [...(flips?.values() ?? [])].sort(
    (one, other) => other.certain + other.possible - one.certain - one.possible,
  )
  if (found.length === 0 && cause === 'prerequisite') return []
  const changed = found.reduce((sum, { certain }) => sum + certain, 0)
  return [{ flag_key, cause, changed, flips: found }]
}
