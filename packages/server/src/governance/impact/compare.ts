import { createFlagSet, type FlagSet } from '@burgee/evaluation'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import type { Cause } from './apply-change.ts'
import type { ComparedFlags } from './read-change.ts'

/** The levels of prerequisites that are evaluated, and what is looked at between two turns. */
const PREREQUISITE_LEVELS = 10
const LOOKED_AT_A_STEP = 500

/** Compiled flags before and after, the roots, and the flags that need them. */
export interface Comparison {
  readonly before: FlagSet
  readonly after: FlagSet
  readonly causes: ReadonlyMap<string, Cause>
  /** The attributes that decide about these flags. */
  readonly attributes: ReadonlySet<string>
}

/** Compiles the roots, the flags that need them, and everything that decides about these. */
export function* compare({
  after,
  before,
  roots,
}: Pick<ComparedFlags, 'after' | 'before' | 'roots'>): Generator<void, Comparison> {
  const causes = new Map(roots)
  const all = [...new Set([...before.keys(), ...after.keys()])]
  for (let level = 0; level < PREREQUISITE_LEVELS; level += 1) {
    const known = causes.size
    let looked = 0
    for (const key of all) {
      if (causes.has(key)) continue
      for (const flag of [before.get(key), after.get(key)]) {
        // A flag may have thousands of prerequisites.
        looked += 1 + (flag?.prerequisites.length ?? 0)
        if (flag?.prerequisites.some(({ flag_key }) => causes.has(flag_key))) causes.set(key, 'prerequisite')
      }
      if (looked < LOOKED_AT_A_STEP) continue
      looked = 0
      yield
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
