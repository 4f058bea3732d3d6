import { ROLLOUT_THOUSANDTHS_MAX, SALT_MAX_LENGTH } from '@burgee/contract'
import type { Hash, JsonValue } from '@burgee/evaluation'
import type { Division, Outcome, Share, Weighted } from './drafts.ts'
import type { FlagNotes } from './report.ts'

/** The fields of a flag or rule that state where users are. */
export interface DivisionFields {
  bucket_by?: string
  rollout_salt?: string
  variant_salt?: string
  hash?: Hash
}

/** Functions that decide weights only; rollouts beside them keep Burgee's own. */
const WEIGHTS_ONLY: ReadonlySet<Hash> = new Set(['unleash_variant', 'go_feature_flag'])

export const EVERYONE = ROLLOUT_THOUSANDTHS_MAX

/** Returns whether a share has less than everyone. */
export const isPartial = (share: Share | undefined): boolean =>
  share !== undefined && share.thousandths < EVERYONE

interface Divided {
  readonly serve: Outcome
  readonly share?: Share | undefined
}

/**
 * Returns the fields for a share, a split, or both. They have one attribute and one function: where the
 * other service has two, the users of the share move.
 */
export function divisionOf({ serve, share }: Divided, notes: FlagNotes, path: string): DivisionFields {
  const split = serve.kind === 'split' ? serve.division : null
  const counted = share && share.thousandths < EVERYONE ? share : null
  if (split && counted && !canShare(counted, split))
    notes.lower('moved', {
      code: 'two_divisions',
      path,
      message: 'The rollout and the variants divide users in two ways. Other users are in the rollout.',
    })
  const division = split ?? counted
  return {
    ...(division?.bucketBy !== undefined && { bucket_by: division.bucketBy }),
    ...(division?.hash !== undefined && { hash: division.hash }),
    ...(counted?.salt !== undefined && { rollout_salt: saltOf(counted.salt, notes, path) }),
    ...(split?.salt !== undefined && { variant_salt: saltOf(split.salt, notes, path) }),
  }
}

function canShare(share: Division, split: Division): boolean {
  const isSameHash =
    share.hash === split.hash || (share.hash === undefined && split.hash && WEIGHTS_ONLY.has(split.hash))
  return share.bucketBy === split.bucketBy && Boolean(isSameHash)
}

function saltOf(salt: string, notes: FlagNotes, path: string): string {
  if (salt.length <= SALT_MAX_LENGTH) return salt
  notes.lower('moved', {
    code: 'salt_too_long',
    path,
    message: `The salt has more than ${SALT_MAX_LENGTH} characters and is cut. Other users are in the share.`,
  })
  return salt.slice(0, SALT_MAX_LENGTH)
}

/** The texts that Burgee hashes where a flag shows nothing else. */
const ownSalts = (key: string) => ({ rollout_salt: `${key}:`, variant_salt: `variant:${key}:` })

/** Leaves out what the flag `key` does anyway. */
export function flagFields(fields: DivisionFields, key: string): DivisionFields {
  const own = ownSalts(key)
  const { rollout_salt, variant_salt, ...others } = fields
  return {
    ...others,
    ...(rollout_salt !== undefined && rollout_salt !== own.rollout_salt && { rollout_salt }),
    ...(variant_salt !== undefined && variant_salt !== own.variant_salt && { variant_salt }),
  }
}

/** Returns the fields of a rule: it has what its flag has, unless it has its own. */
export function ruleFields(fields: DivisionFields, flag: DivisionFields, key: string): DivisionFields {
  const own = ownSalts(key)
  const wanted = {
    bucket_by: fields.bucket_by ?? '$user_key',
    hash: fields.hash ?? ('murmur3' as const),
    rollout_salt: fields.rollout_salt ?? own.rollout_salt,
    variant_salt: fields.variant_salt ?? own.variant_salt,
  }
  const given = { bucket_by: '$user_key', hash: 'murmur3', ...own, ...flag }
  const { bucket_by, hash, rollout_salt, variant_salt } = wanted
  return {
    ...(bucket_by !== given.bucket_by && { bucket_by }),
    ...(hash !== given.hash && { hash }),
    ...(fields.rollout_salt !== undefined && rollout_salt !== given.rollout_salt && { rollout_salt }),
    ...(fields.variant_salt !== undefined && variant_salt !== given.variant_salt && { variant_salt }),
  }
}

/** Returns a share as the API has it: in whole percent where that is exact. */
export function shareFields(share: Share | undefined) {
  if (!share || share.thousandths >= EVERYONE) return {}
  const { thousandths } = share
  return thousandths % 1000 === 0
    ? { rollout_percentage: thousandths / 1000 }
    : { rollout_thousandths: thousandths }
}

const WEIGHT_MAX = 2 ** 31 - 1
/** Fractions of weights are kept to this many parts. */
const PARTS = 1_000_000

/** Returns weights as integers in the same proportions, and joins what follows with the same value. */
export function wholeWeights(variants: readonly Weighted[]): readonly Weighted[] {
  const kept = variants.filter(({ weight }) => weight > 0)
  const largest = Math.max(1, ...kept.map(({ weight }) => weight))
  const isWhole = kept.every(({ weight }) => Number.isInteger(weight)) && largest <= WEIGHT_MAX
  const factor = isWhole ? 1 : Math.min(PARTS, Math.floor(WEIGHT_MAX / largest))
  return kept.map(({ value, weight }) => ({ value, weight: Math.round(weight * factor) }))
}

/** One step of a split: the users up to this share, who are not in an earlier one. */
export interface Step {
  readonly value: JsonValue
  /** In thousandths of a percent of all users; the last step has all. */
  readonly upTo: number
}

/** Returns a split as steps that grow: a rule for each, in this order, divides users in the same way. */
export function stepsOf(variants: readonly Weighted[]): readonly Step[] {
  const total = variants.reduce((sum, { weight }) => sum + weight, 0)
  let sum = 0
  return variants.map(({ value, weight }) => {
    sum += weight
    return { value, upTo: Math.round((sum / total) * EVERYONE) }
  })
}
