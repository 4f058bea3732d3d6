import type { ConditionTrace, PrerequisiteTrace, RuleTrace, Trace } from '@burgee/evaluation/explain'
import { Text, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconCheck, IconFlag3, IconMinus, IconX } from '@tabler/icons-react'
import { describeCondition, nameRule } from './describe-condition.ts'
import { describeFailed } from './describe-prerequisite.ts'
import classes from './evaluate.module.css'
import type { Step, StepByStep } from './explanation.ts'
import { formatValue } from './format-value.ts'

interface EvaluationStepsProps {
  readonly explanation: StepByStep
}

/**
 * The steps of docs/reference/evaluation.md#order-of-evaluation in their order, each with its outcome for
 * this user.
 */
export function EvaluationSteps({ explanation }: EvaluationStepsProps) {
  const { failedChain, steps, trace } = explanation
  return (
    <ol className={classes.steps}>
      {steps.map((step) => (
        <li key={step.name} className={classes.step} data-state={step.state}>
          <span className={classes.mark}>{MARKS[step.state]}</span>
          <div className={classes.stepTitle}>
            {step.title}
            <VisuallyHidden>: {step.state}</VisuallyHidden>
          </div>
          <Text size="sm" c="dimmed" className={classes.any}>
            {step.detail}
          </Text>
          {trace && step.name === 'prerequisites' && <Prerequisites trace={trace} chain={failedChain} />}
          {trace && step.name === 'rules' && step.state !== 'skipped' && <Rules trace={trace} />}
        </li>
      ))}
    </ol>
  )
}

const MARKS: Readonly<Record<Step['state'], React.ReactNode>> = {
  passed: <IconArrowDown size={13} aria-hidden="true" />,
  decided: <IconFlag3 size={13} aria-hidden="true" />,
  skipped: <IconMinus size={13} aria-hidden="true" />,
}

function Prerequisites({ trace, chain }: { readonly trace: Trace; readonly chain: readonly string[] }) {
  const { omitted_prerequisites, prerequisites } = trace
  if (prerequisites.length === 0) return null
  return (
    <>
      <ul className={classes.rules} aria-label="Prerequisites">
        {prerequisites.map((prerequisite, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: prerequisites have no other identity
          <li key={index} className={classes.rule} data-state={prerequisite.state}>
            <b className={classes.any}>{prerequisite.flag_key}</b>{' '}
            <Text span size="sm" c="dimmed">
              {prerequisite.required_value === null
                ? 'has to be on'
                : `has to give ${formatValue(prerequisite.required_value)}`}
            </Text>
            <Text size="sm" className={classes.any}>
              {describeState(prerequisite)}
            </Text>
          </li>
        ))}
      </ul>
      <More count={omitted_prerequisites} />
      {chain.length > 1 && (
        <Text size="sm" mt={4} className={classes.any}>
          Down to the cause: {chain.join(' → ')}
          {chain.indexOf(chain.at(-1) ?? '') < chain.length - 1 && ', a cycle, which is never met'}
        </Text>
      )}
    </>
  )
}

function describeState(prerequisite: PrerequisiteTrace): string {
  const { state, value = null } = prerequisite
  if (state === 'not_evaluated') return 'Not evaluated.'
  return state === 'failed' ? describeFailed(prerequisite) : `It is met. It gives ${formatValue(value)}.`
}

function Rules({ trace: { omitted_rules, rules } }: { readonly trace: Trace }) {
  if (rules.length === 0) return null
  return (
    <>
      <ol className={classes.rules} aria-label="Targeting rules">
        {rules.map((rule) => (
          <li key={rule.index} className={classes.rule} data-state={rule.state}>
            <b className={classes.any}>{nameRule(rule.origin)}</b>{' '}
            <Text span size="sm" c="dimmed">
              {describeRuleState(rule)}
            </Text>
            {rule.state !== 'not_evaluated' && <Tests tests={rule.conditions} />}
          </li>
        ))}
      </ol>
      <More count={omitted_rules} />
    </>
  )
}

function More({ count = 0 }: { readonly count: number | undefined }) {
  return count === 0 ? null : (
    <Text size="sm" c="dimmed">
      and {count} more
    </Text>
  )
}

function describeRuleState({ conditions, rollout, state }: RuleTrace): string {
  switch (state) {
    case 'matched':
      return 'matches'
    case 'no_match':
      if (!rollout || !conditions.every(({ holds }) => holds)) return 'does not match'
      return rollout.percentage === 100
        ? 'matches, and needs a user key for its share'
        : `matches, and the user is outside its share of ${rollout.percentage}%`
    case 'not_evaluated':
      return 'was not evaluated'
  }
}

function Tests({ tests }: { readonly tests: readonly ConditionTrace[] }) {
  return (
    <ul className={classes.tests}>
      {tests.map((test, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tests have no other identity
        <li key={index} className={classes.test}>
          {test.holds ? (
            <IconCheck size={14} color="var(--mantine-color-teal-6)" role="img" aria-label="holds" />
          ) : (
            <IconX size={14} color="var(--mantine-color-dimmed)" role="img" aria-label="does not hold" />
          )}
          <span>
            {describeCondition(test)}
            <Text span size="sm" c="dimmed">
              {test.is_present ? `: the user has ${JSON.stringify(test.actual)}` : ': the user has none'}
            </Text>
          </span>
        </li>
      ))}
    </ul>
  )
}
