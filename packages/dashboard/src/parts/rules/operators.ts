import { describeOperator as describe } from '@burgee/contract'
import { isNumericOperator, isOperator, OPERATORS, type OperatorKind, operatorKind } from '@burgee/evaluation'

/** The operator as a part of a sentence, before `count` values; an ellipsis while none is chosen. */
export const describeOperator = (operator: string, count: number): string =>
  isOperator(operator) ? describe(operator, count) : '…'

/** All of them, to choose from. */
export const OPERATOR_CHOICES = [
  { group: 'Text', items: choicesOf('text', 'pattern', 'presence') },
  { group: 'Numbers', items: choicesOf('number') },
  { group: 'Versions', items: choicesOf('version') },
  { group: 'Times', items: choicesOf('time') },
]

function choicesOf(...kinds: readonly OperatorKind[]) {
  return OPERATORS.filter((operator) => kinds.includes(operatorKind(operator))).map((operator) => {
    const one = describe(operator, 1)
    return { value: operator, label: isNumericOperator(operator) ? `${one} (number)` : one }
  })
}
