import { describeOperator as describe } from '@burgee/contract'
import {
  isNumericOperator,
  isOperator,
  OPERATORS,
  type Operator,
  type OperatorKind,
  operatorKind,
} from '@burgee/evaluation'

/** The operator as a part of a sentence, before `count` values; an ellipsis while none is chosen. */
export const describeOperator = (operator: string, count: number): string =>
  isOperator(operator) ? describe(operator, count) : '…'

/** The complements that are offered; the others are shown where a rule has them. */
const OFFERED_COMPLEMENTS: readonly string[] = ['not_in', 'not_contains', 'is_not_set', 'not_matches']

const isOffered = (operator: Operator): boolean =>
  operator === 'not_equals' ||
  !(operator.startsWith('not_') || operator === 'is_not_set') ||
  OFFERED_COMPLEMENTS.includes(operator)

/** The operators to choose from, with the one that is chosen already. */
export const operatorChoices = (chosen: string) => [
  { group: 'Text', items: choicesOf(chosen, ['text', 'pattern', 'presence']) },
  { group: 'Numbers', items: choicesOf(chosen, ['number']) },
  { group: 'Versions', items: choicesOf(chosen, ['version']) },
  { group: 'Times', items: choicesOf(chosen, ['time']) },
]

function choicesOf(chosen: string, kinds: readonly OperatorKind[]) {
  const shown = OPERATORS.filter((operator) => isOffered(operator) || operator === chosen)
  return shown
    .filter((operator) => kinds.includes(operatorKind(operator)))
    .map((operator) => {
      const one = describe(operator, 1)
      return { value: operator, label: isNumericOperator(operator) ? `${one} (number)` : one }
    })
}
