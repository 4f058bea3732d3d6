import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect } from 'vitest'
import { createExplainer, explain, type RolloutTrace, type Trace } from '../../../src/explain.ts'
import { createFlagSet, type Evaluation } from '../../../src/index.ts'
import { FLAG_KEYS, someFlags, someUser } from './random-flags.ts'

interface Effort {
  /** The users of each set of flags: more of them cost less for each pair. */
  readonly usersEach: number
  /** One trace in so many is compared as well. */
  readonly oneTraceIn: number
}

/** Compares explanations with evaluations, and traces with the results that they explain. */
export function compareExplanations(
  pairs: number,
  { oneTraceIn, usersEach }: Effort = { usersEach: 10, oneTraceIn: 1 },
): void {
  const users = fc.array(someUser, { minLength: usersEach, maxLength: usersEach })
  let count = 0
  fc.assert(
    fc.property(someFlags, users, (flags, contexts) => {
      const set = createFlagSet(flags)
      const given = new Map([...set.keys()].map((key) => [key, set.get(key)]))
      for (const context of contexts) {
        const explainer = createExplainer(set, context)
        for (const key of FLAG_KEYS) {
          const explained = explainer(key)
          const { trace, ...evaluation } = explained
          // One flag after the other, each compiled for its explanation.
          const alone = explain(given, key, context)
          if (!isDeepStrictEqual(explained, alone)) expect(explained).toStrictEqual(alone)
          const expected = { ...set.evaluate(key, context) }
          // An assertion costs more than an explanation.
          if (!isDeepStrictEqual(evaluation, expected)) expect(evaluation).toStrictEqual(expected)
          count += 1
          if (count % oneTraceIn > 0) continue
          if (trace) expectConsistent(trace, evaluation)
          else expect(['ERROR', 'FLAG_NOT_FOUND']).toContain(evaluation.reason)
        }
      }
    }),
    { numRuns: Math.ceil(pairs / (usersEach * FLAG_KEYS.length)) },
  )
}

/** Plays the steps of the trace as a reader would, and expects the result of the evaluation. */
function expectConsistent(trace: Trace, evaluation: Evaluation): void {
  const failed = trace.prerequisites.find(({ state }) => state === 'failed')
  expect(failed?.flag_key).toBe(evaluation.prerequisite_key)
  for (const { trace: own, enabled, reason, value, state } of trace.prerequisites) {
    if (state === 'met') expect(enabled).toBe(true)
    if (own)
      expectConsistent(own, {
        ...deciding(own),
        enabled: enabled ?? false,
        reason: reason ?? 'ERROR',
        value: value ?? null,
      })
  }
  const matched = trace.rules.filter(({ state }) => state === 'matched')
  for (const { conditions, rollout, state } of trace.rules) {
    const holds = conditions.every((condition) => condition.holds) && (rollout?.inside ?? true)
    if (state === 'not_evaluated') expect(conditions).toEqual([])
    else expect(holds).toBe(state === 'matched')
    if (rollout) expectBucket(rollout)
  }
  expect(matched.length).toBe(evaluation.rule_index === undefined ? 0 : 1)
  expect(matched[0]?.index).toBe(evaluation.rule_index)
  expectBucket(trace.rollout, true)
  expect(trace.decided).toBe(decidedBy(trace))
  if (trace.decided === 'rollout' || trace.decided === 'value')
    expect(trace.rollout.inside).toBe(evaluation.enabled)
  expect(trace.value.from === 'disabled').toBe(!evaluation.enabled)
  if ('variant_index' in evaluation) expect(trace.value.from).toBe('variant')
}

/** Returns the fields of a result that stand in its trace alone. */
function deciding(trace: Trace): Partial<Evaluation> {
  const failed = trace.prerequisites.find(({ state }) => state === 'failed')
  const matched = trace.rules.find(({ state }) => state === 'matched')
  return {
    ...(failed && { prerequisite_key: failed.flag_key }),
    ...(matched && { rule_index: matched.index }),
  }
}

/** A full rollout includes anonymous users; the share of a rule does not. */
function expectBucket({ bucket, bucket_of, inside, percentage }: RolloutTrace, isOfFlag = false): void {
  if (bucket === null) {
    expect(inside).toBe(isOfFlag && percentage === 100)
    return
  }
  expect(bucket).toBeGreaterThanOrEqual(0)
  expect(bucket).toBeLessThan(bucket_of)
  expect(inside).toBe(bucket < Math.round((percentage * bucket_of) / 100))
}

function decidedBy(trace: Trace): string {
  if (trace.prerequisites.some(({ state }) => state === 'failed')) return 'prerequisites'
  if (trace.switch === 'off') return 'switch'
  if (trace.rules.some(({ state }) => state === 'matched')) return 'rules'
  return trace.rollout.inside ? 'value' : 'rollout'
}
