import type { Operator } from '@burgee/evaluation'

interface Wording {
  /** Before one value. */
  readonly one: string
  /** Before several, which are an OR. */
  readonly many: string
}

const WORDINGS: Readonly<Record<Operator, Wording>> = {
  equals: { one: 'is', many: 'is one of' },
  not_equals: { one: 'is not', many: 'differs from one of' },
  contains: { one: 'contains', many: 'contains one of' },
  starts_with: { one: 'starts with', many: 'starts with one of' },
  ends_with: { one: 'ends with', many: 'ends with one of' },
  greater_than: { one: 'is greater than', many: 'is greater than one of' },
  greater_than_or_equal: { one: 'is at least', many: 'is at least one of' },
  less_than: { one: 'is less than', many: 'is less than one of' },
  less_than_or_equal: { one: 'is at most', many: 'is at most one of' },
}

/** The operator as a part of a sentence, before `count` values. */
export const describeOperator = (operator: Operator, count: number): string =>
  count > 1 ? WORDINGS[operator].many : WORDINGS[operator].one
