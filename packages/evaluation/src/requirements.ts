import { type Fields, listOf } from './assert-valid.ts'
import { HASHES, type TargetingRule } from './flag.ts'
import { isSpecifiedOperator } from './specified-operators.ts'

/** The user key as an attribute. */
const USER_KEY_ATTRIBUTE = '$user_key'
/** No user has this attribute. Expansion writes it where a condition always holds. */
const ABSENT_ATTRIBUTE = '$none'

/** The names that `requires` of a flag may hold: of fields that a client must not ignore. */
export const EXTENSIONS: readonly string[] = [
  'bucket_by',
  ...HASHES.map((hash) => `hash:${hash}`),
  'off',
  'rule_rollout',
  'rule_variants',
  'salt',
  'thousandths',
  'user_key',
]

/**
 * Returns the extensions that a flag in wire format uses, sorted: the value of its `requires`, which is
 * absent when there are none. An extension without effect counts, a field with its default does not.
 *
 * @throws TypeError when a list of the flag is none.
 */
export function listRequirements(flag: object): string[] {
  const fields = flag as Fields
  const rules = listOf(fields.rules)
  const used = new Set(rules.flatMap(listOfRule))
  for (const extension of listOfDivision(fields)) used.add(extension)
  return [...used].sort()
}

/** The extensions of the fields that flags and rules share. */
function listOfDivision({
  rollout_thousandths,
  bucket_by,
  rollout_salt,
  variant_salt,
  hash,
}: Fields): string[] {
  return [
    ...(rollout_thousandths == null ? [] : ['thousandths']),
    ...(bucket_by == null ? [] : ['bucket_by']),
    ...(bucket_by === USER_KEY_ATTRIBUTE ? ['user_key'] : []),
    ...(rollout_salt == null && variant_salt == null ? [] : ['salt']),
    ...(hash == null || hash === HASHES[0] ? [] : [`hash:${hash}`]),
  ]
}

function listOfRule(rule: Fields): string[] {
  const { off, rollout_percentage, rollout_thousandths, variants, conditions } = rule
  const hasRollout = rollout_percentage != null || rollout_thousandths != null
  return [
    ...listOfDivision(rule),
    ...(off == null || off === false ? [] : ['off']),
    ...(hasRollout ? ['rule_rollout'] : []),
    ...(listOf(variants).length === 0 ? [] : ['rule_variants']),
    ...([rule, ...listOf(conditions)].some(readsEvaluator) ? ['user_key'] : []),
  ]
}

/** A flag without extensions may test an attribute with any name. */
const readsEvaluator = ({ attribute, operator }: Partial<TargetingRule>) =>
  attribute === USER_KEY_ATTRIBUTE || (attribute === ABSENT_ATTRIBUTE && !isSpecifiedOperator(operator))
