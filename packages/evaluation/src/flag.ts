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

/** A test, the further tests that must hold with it, and what a match returns on a non-boolean flag. */
export interface TargetingRule extends Condition {
  conditions?: Condition[]
  variant?: JsonValue
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
export interface EvaluatedFlag {
  key: string
  is_enabled: boolean
  rollout_percentage: number | null
  rules: TargetingRule[]
  flag_type: FlagType
  default_value: JsonValue
  disabled_value: JsonValue
  variants: WeightedVariant[]
  prerequisites: Prerequisite[]
}

export type AttributeValue = string | number | boolean | null | undefined | readonly AttributeValue[]
export type Attributes = Readonly<Record<string, AttributeValue>>
