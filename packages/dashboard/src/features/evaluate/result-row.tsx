import { Code, Table, Text, UnstyledButton } from '@mantine/core'
import { describeEvaluation, evaluateQuestion, nameOfValue, type Question } from './describe-evaluation.ts'
import classes from './evaluate.module.css'
import { formatValue } from './format-value.ts'

interface ResultRowProps {
  readonly question: Question
  readonly onShow: () => void
}

/** One flag: the user's value and the reason. The rest is a click away. */
export function ResultRow({ question, onShow }: ResultRowProps) {
  const evaluated = evaluateQuestion(question)
  const { evaluation } = evaluated
  const { key } = question.flag
  return (
    <Table.Tr className={classes.row} onClick={onShow}>
      <Table.Td>
        <UnstyledButton
          className={classes.flag}
          aria-label={`Explain ${key}`}
          onClick={(event) => {
            event.stopPropagation()
            onShow()
          }}
        >
          {key}
        </UnstyledButton>
      </Table.Td>
      <Table.Td>
        <Value isOn={evaluation.enabled}>{formatValue(evaluation.value)}</Value>
        <ValueName name={nameOfValue(evaluated)} />
      </Table.Td>
      <Table.Td>
        <Text size="sm" c="dimmed" className={classes.why}>
          {describeEvaluation(evaluated)}
        </Text>
      </Table.Td>
    </Table.Tr>
  )
}

interface ValueProps {
  readonly isOn: boolean
  readonly children: string
}

/** A value on one line, with a mark for on and off. */
export function Value({ isOn, children }: ValueProps) {
  return (
    <span className={classes.value}>
      <span className={classes.dot} data-on={isOn || undefined} role="img" aria-label={isOn ? 'On' : 'Off'} />
      <Code className={classes.valueText}>{children}</Code>
    </span>
  )
}

/** The name of a value that has one, below it. */
function ValueName({ name }: { readonly name: string | undefined }) {
  return name === undefined ? null : (
    <Text size="xs" c="dimmed" className={classes.valueName}>
      {name}
    </Text>
  )
}
