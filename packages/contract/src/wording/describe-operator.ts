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
  matches: { one: 'matches', many: 'matches one of' },
  is_set: { one: 'is set', many: 'is set' },
  semver_equal: { one: 'is version', many: 'is one of the versions' },
  semver_greater_than: { one: 'is above version', many: 'is above one of the versions' },
  semver_greater_than_or_equal: { one: 'is at least version', many: 'is at least one of the versions' },
  semver_less_than: { one: 'is below version', many: 'is below one of the versions' },
  semver_less_than_or_equal: { one: 'is at most version', many: 'is at most one of the versions' },
  before: { one: 'is before', many: 'is before one of' },
  after: { one: 'is after', many: 'is after one of' },
  not_in: { one: 'is not in', many: 'is not in' },
  not_contains: { one: 'does not contain', many: 'contains none of' },
  not_starts_with: { one: 'does not start with', many: 'starts with none of' },
  not_ends_with: { one: 'does not end with', many: 'ends with none of' },
  not_greater_than: { one: 'is not greater than', many: 'is greater than none of' },
  not_greater_than_or_equal: { one: 'is not at least', many: 'is at least none of' },
  not_less_than: { one: 'is not less than', many: 'is less than none of' },
  not_less_than_or_equal: { one: 'is not at most', many: 'is at most none of' },
  not_matches: { one: 'does not match', many: 'matches none of' },
  is_not_set: { one: 'is not set', many: 'is not set' },
  not_semver_equal: { one: 'is not version', many: 'is none of the versions' },
  not_semver_greater_than: { one: 'is not above version', many: 'is above none of the versions' },
  not_semver_greater_than_or_equal: {
    one: 'is not at least version',
    many: 'is at least none of the versions',
  },
  not_semver_less_than: { one: 'is not below version', many: 'is below none of the versions' },
  not_semver_less_than_or_equal: {
    one: 'is not at most version',
    many: 'is at most none of the versions',
  },
  not_before: { one: 'is not before', many: 'is before none of' },
  not_after: { one: 'is not after', many: 'is after none of' },
}

/** The operator as a part of a sentence, before `count` values. */
export const describeOperator = (operator: Operator, count: number): string =>
  count > 1 ? WORDINGS[operator].many : WORDINGS[operator].one
