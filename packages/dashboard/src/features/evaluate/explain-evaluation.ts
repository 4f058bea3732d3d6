import type { Evaluation } from '@burgee/evaluation'
import {
  type Answered,
  answer,
  describeEvaluation,
  describeRollout,
  describeValue,
  type Question,
} from './describe-evaluation.ts'
import { explainPrerequisites, followFailure } from './explain-prerequisites.ts'
import { explainRules } from './explain-rules.ts'
import {
  type Explanation,
  type PrerequisiteTrace,
  type RuleTrace,
  STEPS,
  type Step,
  type StepName,
  type StepState,
} from './explanation.ts'

/**
 * Explains, step by step, why a flag gives a user its value. The result is the evaluator's own, and so is
 * every part. It says which rule matched and which prerequisite failed. Conditions and buckets are put to the
 * evaluator one by one.
 */
export function explainEvaluation(question: Question): Explanation {
  const answered = answer(question)
  const { evaluation, set, subject } = answered
  const isMalformed = evaluation.reason === 'ERROR' || evaluation.reason === 'FLAG_NOT_FOUND'
  const rules = isMalformed ? [] : explainRules(answered)
  const prerequisites = isMalformed ? [] : explainPrerequisites(answered)
  return {
    evaluation,
    summary: describeEvaluation(answered),
    steps: isMalformed ? [] : listSteps({ ...answered, rules, prerequisites }),
    rules,
    prerequisites,
    failedChain: followFailure(set, subject, evaluation),
  }
}

interface Parts extends Question {
  readonly evaluation: Evaluation
  readonly rules: readonly RuleTrace[]
  readonly prerequisites: readonly PrerequisiteTrace[]
}

interface Parts extends Answered {
  readonly rules: readonly RuleTrace[]
  readonly prerequisites: readonly PrerequisiteTrace[]
}

/**
 * Steps 2 to 6 of docs/reference/evaluation.md#order-of-evaluation, in that order. Step 1 needs no
 * explanation.
 */
function listSteps(parts: Parts): Step[] {
  const decided = decidingStep(parts.evaluation)
  const at = STEPS.indexOf(decided)
  return STEPS.map((name, index) => {
    const state: StepState = index < at ? 'passed' : index === at ? 'decided' : 'skipped'
    return {
      name,
      title: TITLES[name],
      state,
      detail: state === 'skipped' ? 'Not asked.' : describeStep(name, parts),
    }
  })
}

const TITLES: Readonly<Record<StepName, string>> = {
  prerequisites: 'Prerequisites',
  switch: 'Switch',
  rules: 'Targeting rules',
  rollout: 'Rollout',
  value: 'Value',
}

function decidingStep({ enabled, reason, rule_index }: Evaluation): StepName {
  if (reason === 'PREREQUISITE_FAILED') return 'prerequisites'
  if (reason === 'DISABLED') return 'switch'
  // A rule may divide those who match among values.
  if (reason === 'TARGETING_MATCH' || rule_index !== undefined) return 'rules'
  return enabled ? 'value' : 'rollout'
}

function describeStep(name: StepName, parts: Parts): string {
  const { evaluation, flag, prerequisites, rules } = parts
  switch (name) {
    case 'prerequisites':
      if (prerequisites.length === 0) return 'There are none.'
      return evaluation.reason === 'PREREQUISITE_FAILED' ? describeEvaluation(parts) : 'All of them hold.'
    case 'switch':
      return flag.is_enabled ? 'The flag is on.' : 'The flag is off: the disabled value.'
    case 'rules':
      if (evaluation.rule_index === undefined) return rules.length === 0 ? 'There are none.' : 'None matches.'
      return evaluation.reason === 'SPLIT' ? describeValue(parts) : 'The first one that matches decides.'
    case 'rollout':
      return describeRollout(parts)
    case 'value':
      return describeValue(parts)
  }
}
