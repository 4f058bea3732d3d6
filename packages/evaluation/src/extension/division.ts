import { assertValid, type Fields, listOf } from '../assert-valid.ts'
import { HASH_STEPS } from '../compile-flag.ts'
import { compileVariants, HASH_RANGE } from '../compile-variants.ts'
import { addCost, type Costs, countCharacters } from '../cost.ts'
import type { CreateEvaluation, Evaluation } from '../evaluation.ts'
import { type FlagType, HASHES, type Hash } from '../flag.ts'
import { rolloutPosition, variantPosition } from '../hashes/position.ts'
import { isScalar } from '../list.ts'
import { isWholeNumber } from '../read-value.ts'

export const THOUSANDTHS = 100_000
/** Those of `HASH_STEPS` for the functions of other services, SHA-1 among them. */
const OTHER_HASH_STEPS = 64
/** The fields that a flag and a rule may have. */
export const DIVISION_FIELDS = ['rollout_thousandths', 'bucket_by', 'rollout_salt', 'variant_salt', 'hash']

/** Returns the text that places a user; null for a user whom nothing places. */
type KeyOf = (attributes: object, userKey: string | null) => string | null

/** The fields that divide users, of a flag or of a rule of it. */
export interface Division {
  readonly hash: Hash
  /** The attribute whose text is hashed; null for the user key. */
  readonly attribute: string | null
  readonly keyOf: KeyOf
  readonly rolloutSalt: string
  readonly variantSalt: string
}

/**
 * @param rule A rule, whose fields go before those of the flag.
 * @throws TypeError when a field is not valid.
 */
export function readDivision(flag: Fields, rule: Fields = {}): Division {
  const hash = (rule.hash ?? flag.hash ?? HASHES[0]) as Hash
  assertValid(HASHES.includes(hash))
  const bucketBy = rule.bucket_by ?? flag.bucket_by
  const attribute = bucketBy == null ? null : readText(bucketBy)
  return {
    hash,
    attribute,
    keyOf: compileKey(attribute),
    rolloutSalt: readText(rule.rollout_salt ?? flag.rollout_salt ?? `${flag.key}:`),
    variantSalt: readText(rule.variant_salt ?? flag.variant_salt ?? `variant:${flag.key}:`),
  }
}

function readText(value: unknown): string {
  assertValid(typeof value === 'string')
  return value
}

function compileKey(name: string | null): KeyOf {
  if (name === null) return (_attributes, userKey) => userKey
  return (attributes) => {
    const value = Object.hasOwn(attributes, name) ? (attributes as Fields)[name] : null
    return isScalar(value) ? String(value) : null
  }
}

/**
 * Adds the steps of a rollout and of a choice by the division, where an attribute is hashed.
 *
 * @returns The steps for each character of the user key.
 */
export function addHashing(costs: Costs, { attribute, hash }: Division): number {
  const steps = hash === HASHES[0] ? HASH_STEPS : OTHER_HASH_STEPS
  if (attribute === null) return steps
  addCost(costs, attribute, countCharacters, steps)
  return 0
}

/** The share of a rollout in thousandths of a percent; a fine rollout goes before a whole percentage. */
export function readShare(percentage: unknown, thousandths: unknown): number {
  const percent = percentage ?? 100
  assertValid(isWholeNumber(percent) && percent <= 100)
  const share = thousandths ?? percent * 1000
  assertValid(isWholeNumber(share) && share <= THOUSANDTHS)
  return share
}

/** Compiles whether a user is inside a share. A user whom nothing places is inside none. */
export function compileRollout(
  { hash, keyOf, rolloutSalt }: Division,
  share: number,
): (attributes: object, userKey: string | null) => boolean {
  const positionOf = rolloutPosition(hash, rolloutSalt)
  return (attributes, userKey) => {
    const key = keyOf(attributes, userKey)
    return key !== null && (share === THOUSANDTHS || positionOf(key) < share / THOUSANDTHS)
  }
}

/** Compiles the choice among weighted variants, which is null without variants or a key. */
export function compileChoice(
  { hash, keyOf, variantSalt }: Division,
  variants: unknown,
  type: FlagType,
  create: CreateEvaluation,
  detail?: Partial<Evaluation>,
): (attributes: object, userKey: string | null) => Evaluation | null {
  const { choices, bounds, total } = compileVariants(listOf(variants), type, create, detail)
  if (choices.length === 0) return () => null
  const positionOf = variantPosition(hash, variantSalt, total)
  return (attributes, userKey) => {
    const key = keyOf(attributes, userKey)
    if (key === null) return null
    const point = positionOf(key) * HASH_RANGE
    return choices[bounds.findIndex((bound) => point < bound)] ?? choices.at(-1) ?? null
  }
}
