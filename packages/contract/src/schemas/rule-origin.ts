/**
 * The written rule that expanded rules come from (docs/reference/streaming.md#origins-of-rules): `count` of
 * them in a row, in the order of the expanded rules.
 */
export interface RuleOrigin {
  /** The index into the flag's written rules. */
  readonly rule_index: number
  /** The segments on the way, those that the rule names first; empty for a rule without segments. */
  readonly segment_keys: readonly string[]
  /**
   * The chains of segments, each from one that the rule names down to the last within it. Absent where
   * `segment_keys` is the only chain.
   */
  readonly segment_paths?: readonly (readonly string[])[]
  readonly count: number
}
