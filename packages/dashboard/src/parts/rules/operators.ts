import { describeOperator as describe } from '@burgee/contract'
import { isNumericOperator, isOperator, OPERATORS, type Operator } from '@burgee/evaluation'

/** The operator as a part of a sentence, before `count` values; an ellipsis while none is chosen. */
export const describeOperator = (operator: string, count: number): string =>
  isOperator(operator) ? describe(operator, count) : '…'

/** All of them, to choose from. */
export const OPERATOR_CHOICES = [
  {
    group: 'Text',
    items: OPERATORS.filter((operator) => !isNumericOperator(operator)).map(choiceOf),
  },
  {
    group: 'Numbers',
    items: OPERATORS.filter(isNumericOperator).map(choiceOf),
  },
]

function choiceOf(operator: Operator) {
  const one = describe(operator, 1)
  return { value: operator, label: isNumericOperator(operator) ? `${one} (number)` : one }
}
