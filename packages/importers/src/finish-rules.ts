import type { Condition, SegmentCondition, TargetingRuleInput } from '@burgee/contract'
import { RULE_DESCRIPTION_MAX_LENGTH } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { type DivisionFields, divisionOf, ruleFields, shareFields, stepsOf, wholeWeights } from './divide.ts'
import type { FlagDraft, RuleDraft } from './drafts.ts'
import { alternativesOf, type Literal } from './expression.ts'
import { orGap } from './gap.ts'
import type { KeyNames } from './keys.ts'
import type { FindFlaw } from './segment-flaws.ts'

export interface RuleContext {
  readonly draft: FlagDraft
  /** The key in Burgee. */
  readonly key: string
  readonly flagDivision: DivisionFields
  readonly segments: KeyNames
  readonly findFlaw: FindFlaw
}

/** Returns the rules of a flag. A rule that Burgee cannot express is left out, with a note. */
export function finishRules(rules: readonly RuleDraft[], context: RuleContext): TargetingRuleInput[] {
  return rules.flatMap((rule, index) => {
    const path = `/rules/${index}`
    const finished = orGap(
      () => toSteps(rule, context.draft).flatMap((step) => finishRule(step, context, path)),
      ({ code, message }) => context.draft.notes.lower('approximated', { code, path, message }),
    )
    return finished ?? []
  })
}

/** A boolean flag has no variants, so that a split becomes one rule for each value. */
function toSteps(rule: RuleDraft, { type }: FlagDraft): readonly RuleDraft[] {
  const { serve } = rule
  if (type !== 'boolean' || serve.kind !== 'split') return [rule]
  const { division, variants } = serve
  return stepsOf(variants).map(({ upTo, value }) => ({
    ...rule,
    serve: { kind: 'value', value },
    share: { ...division, thousandths: upTo },
  }))
}

function finishRule(rule: RuleDraft, context: RuleContext, path: string): TargetingRuleInput[] {
  const { description, share, when } = rule
  if (share?.thousandths === 0) return []
  const alternatives = alternativesOf(when)
  if (alternatives.length === 0) return []
  for (const literal of alternatives.flat()) {
    const flaw = literal.kind === 'segment' ? context.findFlaw(literal.key) : undefined
    if (flaw) context.draft.notes.lower('approximated', { ...flaw, path })
  }
  const fields = divisionOf(rule, context.draft.notes, path)
  const result = {
    ...resultOf(rule, context, path),
    ...shareFields(share),
    ...ruleFields(fields, context.flagDivision, context.key),
    ...(description && { description: description.slice(0, RULE_DESCRIPTION_MAX_LENGTH) }),
  }
  return alternatives.map((literals) => ({ ...testsOf(literals, context.segments), ...result }))
}

function resultOf({ serve }: RuleDraft, context: RuleContext, path: string): TargetingRuleInput {
  const { draft } = context
  if (serve.kind === 'split') return { variants: [...wholeWeights(serve.variants)] }
  if (serve.kind === 'off') return { off: true }
  if (draft.type === 'boolean') return serve.kind === 'on' || serve.value === true ? {} : { off: true }
  // A flag with values that is on without one serves null.
  const value = serve.kind === 'on' ? null : serve.value
  if (value === null && hasDefault(draft))
    draft.notes.lower('approximated', {
      code: 'null_value',
      path,
      message: 'The rule serves null. In Burgee it serves the default value of the flag.',
    })
  return value === null ? {} : { variant: value }
}

/** Returns whether the flag serves a value by itself; with a share of no users there is none. */
const hasDefault = ({ otherwise: { serve, share } }: FlagDraft) =>
  share?.thousandths !== 0 && serve.kind === 'value' && serve.value !== null

/** Returns the tests of one alternative: the first is the rule's own, the others are its conditions. */
export function testsOf(literals: readonly Literal[], segments: KeyNames): TargetingRuleInput {
  const [head, ...others] = literals
  const conditions = others.length > 0 && {
    conditions: others.map((literal) => toCondition(literal, segments)),
  }
  if (!head) return { ...EVERYBODY, ...conditions }
  if (head.kind === 'test') return { ...toTest(head), ...conditions }
  const segment_key = segments.get(head.key)
  const operator: JsonValue = 'not_in_segment'
  return { segment_key, ...(!head.isIn && { operator }), ...conditions }
}

/** A rule for every user with a key. */
const EVERYBODY: TargetingRuleInput = { attribute: '$user_key', operator: 'is_set', values: [] }

const toTest = ({ attribute, operator, values }: Extract<Literal, { kind: 'test' }>): Condition => ({
  ...{ attribute, operator },
  values: [...values],
})

function toCondition(literal: Literal, segments: KeyNames): Condition | SegmentCondition {
  return literal.kind === 'test'
    ? toTest(literal)
    : {
        segment_key: segments.get(literal.key),
        operator: literal.isIn ? 'in_segment' : 'not_in_segment',
      }
}
