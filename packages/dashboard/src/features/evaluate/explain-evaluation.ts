import type { DecidingStep, Trace } from '@burgee/evaluation/explain'
import {
  describeEvaluation,
  describeRollout,
  describeValue,
  type Explained,
  evaluateQuestion,
  type Question,
} from './describe-evaluation.ts'
import { followFailure } from './describe-prerequisite.ts'
import { type Explanation, STEPS, type Step, type StepByStep, type StepState } from './explanation.ts'

/** States in words, step by step, why a flag gives a user its value. The evaluator itself explains it. */
export function explainEvaluation(question: Question): Explanation {
  const evaluated = evaluateQuestion(question)
  return { evaluation: evaluated.evaluation, ...explainSteps(evaluated) }
}

/** States in words what the evaluator found, step by step. */
export function explainSteps(evaluated: Explained): StepByStep {
  const { trace } = evaluated
  return {
    summary: describeEvaluation(evaluated),
    steps: trace ? listSteps(evaluated, trace) : [],
    trace,
    failedChain: trace ? followFailure(trace) : [],
  }
}

/**
 * Steps 2 to 6 of docs/reference/evaluation.md#order-of-evaluation, in that order. Step 1 needs no
 * explanation.
 */
function listSteps(evaluated: Explained, trace: Trace): Step[] {
  const at = STEPS.indexOf(trace.decided)
  return STEPS.map((name, index) => {
    const state: StepState = index < at ? 'passed' : index === at ? 'decided' : 'skipped'
    const detail = state === 'skipped' ? 'Not evaluated.' : describeStep(name, evaluated, trace)
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

function describeStep(name: DecidingStep, evaluated: Explained, trace: Trace): string {
  const { evaluation } = evaluated
  switch (name) {
    case 'prerequisites':
      if (trace.prerequisites.length === 0) return 'There are none.'
      return trace.decided === 'prerequisites' ? describeEvaluation(evaluated) : 'All of them hold.'
    case 'switch':
      return trace.switch === 'on' ? 'The flag is on.' : 'The flag is off: the disabled value.'
    case 'rules':
      if (evaluation.rule_index === undefined)
        return trace.rules.length === 0 ? 'There are none.' : 'None matches.'
      return evaluation.reason === 'SPLIT'
        ? describeValue(evaluated, trace)
        : 'The first one that matches decides.'
    case 'rollout':
      return describeRollout(trace.rollout)
    case 'value':
      return describeValue(evaluated, trace)
  }
}
