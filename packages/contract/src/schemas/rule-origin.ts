/**
 * The written rule that expanded rules come from (docs/reference/streaming.md#origins-of-rules): `count` of
 * them in a row, in the order of the expanded rules.
 */
export interface RuleOrigin {
  /** The index into the flag's written rules. */
  readonly rule_index: number
  /** The segments on the way, those that the rule names first; empty for a rule without segments. */
  readonly segment_keys: readonly string[]
  readonly count: number
}
