import type { DecidingStep, Trace } from '@burgee/evaluation/explain'
import {
  answer,
  describeEvaluation,
  describeRollout,
  describeValue,
  type Explained,
  type Question,
} from './describe-evaluation.ts'
import { followFailure } from './describe-prerequisite.ts'
import { type Explanation, STEPS, type Step, type StepByStep, type StepState } from './explanation.ts'

/** Says in words, step by step, why a flag gives a user its value. The evaluator itself explains it. */
export function explainEvaluation(question: Question): Explanation {
  const answered = answer(question)
  return { evaluation: answered.evaluation, ...explainSteps(answered) }
}

/** Says in words what the evaluator found, step by step. */
export function explainSteps(answered: Explained): StepByStep {
  const { trace } = answered
  return {
    summary: describeEvaluation(answered),
    steps: trace ? listSteps(answered, trace) : [],
    trace,
    failedChain: trace ? followFailure(trace) : [],
  }
}

/**
 * Steps 2 to 6 of docs/reference/evaluation.md#order-of-evaluation, in that order. Step 1 needs no
 * explanation.
 */
function listSteps(answered: Explained, trace: Trace): Step[] {
  const at = STEPS.indexOf(trace.decided)
  return STEPS.map((name, index) => {
    const state: StepState = index < at ? 'passed' : index === at ? 'decided' : 'skipped'
    const detail = state === 'skipped' ? 'Not evaluated.' : describeStep(name, answered, trace)
    return { name, title: TITLES[name], state, detail }
  })
}

const TITLES: Readonly<Record<DecidingStep, string>> = {
  prerequisites: 'Prerequisites',
  switch: 'Switch',
  rules: 'Targeting rules',
  rollout: 'Rollout',
  value: 'Value',
}

function describeStep(name: DecidingStep, answered: Explained, trace: Trace): string {
  const { evaluation } = answered
  switch (name) {
    case 'prerequisites':
      if (trace.prerequisites.length === 0) return 'There are none.'
      return trace.decided === 'prerequisites' ? describeEvaluation(answered) : 'All of them hold.'
    case 'switch':
      return trace.switch === 'on' ? 'The flag is on.' : 'The flag is off: the disabled value.'
    case 'rules':
      if (evaluation.rule_index === undefined)
        return trace.rules.length === 0 ? 'There are none.' : 'None matches.'
      return evaluation.reason === 'SPLIT'
        ? describeValue(answered, trace)
        : 'The first one that matches decides.'
    case 'rollout':
      return describeRollout(trace.rollout)
    case 'value':
      return describeValue(answered, trace)
  }
}
