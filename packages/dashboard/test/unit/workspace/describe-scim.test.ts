import { expect, test } from 'vitest'
import { describeGroups } from '../../../src/features/workspace/single-sign-on/describe-groups.ts'
import { describeReceived } from '../../../src/features/workspace/single-sign-on/describe-received.ts'

test('the received accounts and groups are counted', () => {
  expect(describeReceived({ users: 1, disabled_users: 0, groups: 1 })).toBe('1 account, 1 group')
  expect(describeReceived({ users: 12, disabled_users: 3, groups: 0 })).toBe(
    '12 accounts (3 disabled), 0 groups',
  )
})

test('the effect of a row names the sources that are set up', () => {
  const label = 'Acme'
  expect(describeGroups({ claim: null, hasScim: false, label }).effect).toContain('no group arrives')
  expect(describeGroups({ claim: null, hasScim: true, label }).effect).toContain('that SCIM sends')
  expect(describeGroups({ claim: 'groups', hasScim: false, label })).toEqual({
    effect: expect.stringContaining('a group of Acme'),
    origin: expect.stringContaining('the claim groups'),
  })
  expect(describeGroups({ claim: 'groups', hasScim: true, label }).effect).toContain(
    'the groups that SCIM sends count',
  )
})
