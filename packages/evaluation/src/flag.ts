import type { Operator } from './operators.ts'

/**
 * The flag as SDKs receive it: segments already expanded (docs/reference/flags.md). The HTTP contract
 * describes the same shape as a schema; a type test compares the two.
 */

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

export const FLAG_TYPES = ['boolean', 'string', 'integer', 'json'] as const
export type FlagType = (typeof FLAG_TYPES)[number]

/** One test of one attribute. `values` is an OR. */
export interface Condition {
  attribute: string
  operator: Operator
  values: string[]
}

/** The functions that place a user between 0 and 1; all but the first are those of other services. */
export const HASHES = [
  'murmur3',
  'launchdarkly',
  'unleash_variant',
  'growthbook_1',
  'growthbook_2',
  'configcat',
  'go_feature_flag',
] as const
export type Hash = (typeof HASHES)[number]

/** The fields that decide how users are divided. A rule without one of them takes that of its flag. */
interface Division {
  /** The attribute whose text is hashed in place of the user key. */
  bucket_by?: string | null
  /** Hashed before the key in place of `<flag key>:`. */
  rollout_salt?: string | null
  /** Hashed before the key in place of `variant:<flag key>:`. */
  variant_salt?: string | null
  hash?: Hash | null
  /** The rollout in thousandths of a percent. */
  rollout_thousandths?: number | null
}

/** A test, the further tests that must hold with it, and what a match returns on a non-boolean flag. */
export interface TargetingRule extends Condition, Division {
  conditions?: Condition[]
  variant?: JsonValue
  /** A match gives the disabled result. */
  off?: boolean | null
  /** A match counts only for this share of users; for others the next rule is evaluated. */
  rollout_percentage?: number | null
  /** Values of which those who match get one by weight, in place of `variant`. */
  variants?: WeightedVariant[] | null
}

export interface WeightedVariant {
  weight: number
  value: JsonValue
}

export interface Prerequisite {
  flag_key: string
  required_value?: JsonValue
}

/** The fields of a flag that evaluation reads. */
export interface EvaluatedFlag extends Division {
  key: string
  is_enabled: boolean
  rollout_percentage: number | null
  rules: TargetingRule[]
  flag_type: FlagType
  default_value: JsonValue
  disabled_value: JsonValue
  variants: WeightedVariant[]
  prerequisites: Prerequisite[]
  /** The extensions that a client must know to evaluate the flag. The server computes them. */
  requires?: string[]
  /** Names of values, for the `variant` of results. */
  variant_names?: { [name: string]: JsonValue }
  /** Delivered with evaluations, never evaluated. */
  metadata?: { [name: string]: string | number | boolean }
}

export type AttributeValue = string | number | boolean | null | undefined | readonly AttributeValue[]
export type Attributes = Readonly<Record<string, AttributeValue>>
