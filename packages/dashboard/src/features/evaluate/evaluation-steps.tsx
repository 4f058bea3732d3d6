import { Text, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconCheck, IconFlag3, IconMinus, IconX } from '@tabler/icons-react'
import { describeCondition, nameRule } from './describe-condition.ts'
import classes from './evaluate.module.css'
import type { ConditionTrace, Explanation, PrerequisiteTrace, RuleTrace, Step } from './explanation.ts'
import { formatValue } from './format-value.ts'

interface EvaluationStepsProps {
  readonly explanation: Explanation
}

/** Rules that are drawn; a flag may expand to thousands. */
const RULES_SHOWN = 100

/**
 * The steps of docs/reference/evaluation.md#order-of-evaluation in their order, each with its outcome for
 * this user.
 */
export function EvaluationSteps({ explanation }: EvaluationStepsProps) {
  const { failedChain, prerequisites, rules, steps } = explanation
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
          {step.name === 'prerequisites' && (
            <Prerequisites prerequisites={prerequisites} chain={failedChain} />
          )}
          {step.name === 'rules' && step.state !== 'skipped' && <Rules rules={rules} />}
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

function Prerequisites({
  prerequisites,
  chain,
}: {
  readonly prerequisites: readonly PrerequisiteTrace[]
  readonly chain: readonly string[]
}) {
  if (prerequisites.length === 0) return null
  return (
    <>
      <ul className={classes.rules} aria-label="Prerequisites">
        {prerequisites.map(({ detail, evaluation, flag_key, required_value, state }) => (
          <li
            key={`${flag_key} ${JSON.stringify(required_value)}`}
            className={classes.rule}
            data-state={state}
          >
            <b className={classes.any}>{flag_key}</b>{' '}
            <Text span size="sm" c="dimmed">
              {required_value === null ? 'has to be on' : `has to give ${formatValue(required_value)}`}
            </Text>
            <Text size="sm" className={classes.any}>
              {state === 'failed'
                ? detail
                : `${PREREQUISITE_STATES[state]} It gives ${formatValue(evaluation.value)}.`}
            </Text>
          </li>
        ))}
      </ul>
      {chain.length > 1 && (
        <Text size="sm" mt={4} className={classes.any}>
          Down to the cause: {chain.join(' → ')}
          {chain.indexOf(chain.at(-1) ?? '') < chain.length - 1 && ', a circle, which never holds'}
        </Text>
      )}
    </>
  )
}

const PREREQUISITE_STATES = { met: 'It holds.', not_asked: 'It was not asked.' } as const

function Rules({ rules }: { readonly rules: readonly RuleTrace[] }) {
  if (rules.length === 0) return null
  const rest = rules.length - RULES_SHOWN
  return (
    <>
      <ol className={classes.rules} aria-label="Targeting rules">
        {rules.slice(0, RULES_SHOWN).map((rule, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other identity
          <li key={index} className={classes.rule} data-state={rule.state}>
            <b className={classes.any}>{nameRule(rule.origin)}</b>{' '}
            <Text span size="sm" c="dimmed">
              {describeRuleState(rule)}
            </Text>
            {rule.state !== 'not_asked' && <Tests tests={rule.conditions} />}
          </li>
        ))}
      </ol>
      {rest > 0 && (
        <Text size="sm" c="dimmed">
          and {rest} more
        </Text>
      )}
    </>
  )
}

function describeRuleState({ share, state }: RuleTrace): string {
  switch (state) {
    case 'matched':
      return 'matches'
    case 'outside':
      return share === 100
        ? 'holds, and needs a user key for its share'
        : `holds, and the user is outside its share of ${share} %`
    case 'no_match':
      return 'does not match'
    case 'not_asked':
      return 'was not asked'
  }
}

function Tests({ tests }: { readonly tests: readonly ConditionTrace[] }) {
  return (
    <ul className={classes.tests}>
      {tests.map(({ actual, condition, isMet }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tests have no other identity
        <li key={index} className={classes.test}>
          {isMet ? (
            <IconCheck size={14} color="var(--mantine-color-teal-6)" role="img" aria-label="holds" />
          ) : (
            <IconX size={14} color="var(--mantine-color-dimmed)" role="img" aria-label="does not hold" />
          )}
          <span>
            {describeCondition(condition)}
            <Text span size="sm" c="dimmed">
              {actual === undefined ? ': the user has none' : `: the user has ${JSON.stringify(actual)}`}
            </Text>
          </span>
        </li>
      ))}
    </ul>
  )
}
