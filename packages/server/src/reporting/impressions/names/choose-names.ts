import { OTHER_NAME } from '@burgee/contract'
import type { NameFacts, ReportedName } from './queries.ts'

export interface NameLimits {
  /** The number of new keys that are not flags of the environment. */
  readonly flagKeys: number
  /** The number of new values of one flag, and of all unknown keys together. */
  readonly values: number
}

/**
 * The number of new names that were taken on the day: keys, and values by flag key (`NO_FLAG` for unknown
 * keys).
 */
export interface TakenNames {
  readonly flagKeys: number
  readonly values: ReadonlyMap<string, number>
}

/** The name under which a reported one is stored, with the counts that it takes. */
export interface ChosenName {
  readonly flag_key: string
  readonly value: string
}

export interface NameChoice {
  /** The chosen names, in the order of the reported ones. */
  readonly chosen: readonly ChosenName[]
  readonly newFlagKeys: number
  readonly newValues: ReadonlyMap<string, number>
}

/** The pool of values of all keys that are not flags of the environment. */
export const NO_FLAG = ''

/** Returns whether a value is that of a boolean flag, or of `isEnabled` for any other. */
const isTruthText = (value: string): boolean => value === 'true' || value === 'false'

/** Returns the pool of a value of this key. */
export const poolOf = ({ flag_key }: ReportedName, { is_flag }: NameFacts): string =>
  is_flag ? flag_key : NO_FLAG

/**
 * Chooses the name under which each reported one is stored: its own when it is known, or new and within the
 * daily limits; otherwise `OTHER_NAME`. `canGive` returns whether the definition of a flag contains the
 * value.
 */
export function chooseNames(
  names: readonly ReportedName[],
  facts: readonly NameFacts[],
  {
    canGive,
    limits,
    taken,
  }: {
    readonly taken: TakenNames
    readonly limits: NameLimits
    readonly canGive: (name: ReportedName) => boolean
  },
): NameChoice {
  const newKeys = new Set<string>()
  const newValues = new Map<string, number>()

  function hasKey({ flag_key }: ReportedName, { is_flag, is_key_known }: NameFacts): boolean {
    if (is_flag || is_key_known || flag_key === OTHER_NAME || newKeys.has(flag_key)) return true
    if (taken.flagKeys + newKeys.size >= limits.flagKeys) return false
    newKeys.add(flag_key)
    return true
  }

  function takeValue(pool: string): boolean {
    const added = newValues.get(pool) ?? 0
    if ((taken.values.get(pool) ?? 0) + added >= limits.values) return false
    newValues.set(pool, added + 1)
    return true
  }

  const chosen = names.map((name, at): ChosenName => {
    const known = facts[at] ?? UNKNOWN
    const { flag_key, value } = name
    if (!hasKey(name, known)) {
      return { flag_key: OTHER_NAME, value: isTruthText(value) ? value : OTHER_NAME }
    }
    const isFree = known.is_value_known || isTruthText(value) || value === OTHER_NAME
    if (isFree || takeValue(poolOf(name, known)) || canGive(name)) return { flag_key, value }
    return { flag_key, value: OTHER_NAME }
  })
  return { chosen, newFlagKeys: newKeys.size, newValues: newValues }
}

const UNKNOWN: NameFacts = { is_flag: false, is_key_known: false, is_value_known: false }
