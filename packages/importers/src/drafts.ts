import type { Hash, JsonValue } from '@burgee/evaluation'
import type { Expression } from './expression.ts'
import type { Flaw } from './gap.ts'
import type { FlagNotes } from './report.ts'

/** A way to divide users. Absent fields are Burgee's own. */
export interface Division {
  readonly hash?: Hash
  /** The text that is hashed before the key. */
  readonly salt?: string
  /** The attribute that is hashed; absent for the user key. */
  readonly bucketBy?: string
}

/** A part of all users, in thousandths of a percent. */
export interface Share extends Division {
  readonly thousandths: number
}

export interface Weighted {
  readonly value: JsonValue
  readonly weight: number
}

/** The result of users: a value, the default of a flag that is on, the disabled result, or one of several. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'on' }
  | { readonly kind: 'off' }
  | {
      readonly kind: 'split'
      readonly variants: readonly Weighted[]
      readonly division: Division
      /** The value of users without a key, where the flag itself divides. */
      readonly fallback?: JsonValue
    }

export interface RuleDraft {
  readonly when: Expression
  readonly serve: Outcome
  readonly share?: Share
  readonly description?: string
}

/** A flag of another service in one environment, before it has the form of the API. */
export interface FlagDraft {
  /** The key in the other service. */
  readonly key: string
  readonly type: 'boolean' | 'string' | 'integer' | 'json'
  readonly isEnabled: boolean
  readonly rules: readonly RuleDraft[]
  /** The result of users whom no rule matches. */
  readonly otherwise: { readonly serve: Outcome; readonly share?: Share }
  /** Null for the default of the caller. */
  readonly disabledValue: JsonValue
  readonly prerequisites: readonly { readonly key: string; readonly value?: JsonValue }[]
  readonly variantNames?: ReadonlyMap<string, JsonValue>
  readonly description?: string | null
  readonly tags?: readonly string[]
  readonly owner?: string | null
  readonly isPermanent?: boolean
  /** ISO 8601. */
  readonly archivedAt?: string | null
  readonly valueSchema?: JsonValue
  readonly metadata?: ReadonlyMap<string, string | number | boolean>
  readonly notes: FlagNotes
}

export interface SegmentDraft {
  readonly key: string
  readonly name: string
  readonly description?: string | null
  readonly included: readonly string[]
  readonly excluded: readonly string[]
  /** Users that any of these matches are in the segment. */
  readonly rules: readonly Omit<RuleDraft, 'serve'>[]
  /** The part that is missing: flags that name the segment are not exact. */
  readonly flaw?: Flaw
}

/** The flags and segments of one environment of another service. */
export interface EnvironmentDraft {
  readonly environment: string
  readonly flags: readonly FlagDraft[]
  readonly segments: readonly SegmentDraft[]
}
