import { type CompiledCondition, compileCondition } from './compile-condition.ts'
import { createEvaluation, type Evaluation } from './evaluation.ts'
import type { JsonValue } from './flag.ts'
import { demand, type Fields, readList } from './wire.ts'

/** A rule made ready: its own test, what must hold with it, and what a match gives. */
export interface CompiledRule {
  readonly test: CompiledCondition
  readonly conditions: readonly CompiledCondition[]
  readonly match: Evaluation
}

/**
 * A rule that still names a segment is malformed: the server expands segments (specification, "What the service
 * does"), and passing over one could give a user what a later rule says.
 */
export function compileRule(
  rule: Fields,
  rule_index: number,
  read: (variant: unknown) => JsonValue,
): CompiledRule {
  demand(rule.segment_key == null)
  return {
    test: compileCondition(rule),
    conditions: readList(rule.conditions, compileCondition),
    match: createEvaluation('TARGETING_MATCH', read(rule.variant), true, { rule_index }),
  }
}
