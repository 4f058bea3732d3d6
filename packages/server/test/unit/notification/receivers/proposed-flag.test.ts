import { describeFlagChange, type Flag } from '@burgee/contract'
import { expect, it } from 'vitest'
import { toProposedFlag } from '../../../../src/notification/receivers/chats/messages/proposed-flag.ts'
import { toFlagContent } from '../../../../src/targeting/flag-model/flag.ts'

const flag: Flag = {
  ...toFlagContent({ key: 'f', is_enabled: true, rollout_thousandths: 12_500, bucket_by: 'company' }),
  archived_at: null,
  revision: 1,
}

const described = (patch: Parameters<typeof toProposedFlag>[1]) =>
  describeFlagChange(flag, toProposedFlag(flag, patch))

it.each([
  ['a whole percentage', { rollout_percentage: 50 }, ['rollout 12.5% -> 50%']],
  ['a fine rollout', { rollout_thousandths: 500 }, ['rollout 12.5% -> 0.5%']],
  ['a field that is unset', { bucket_by: null }, ['bucketing attribute "company" -> none']],
  [
    'a condition on a segment',
    {
      rules: [
        { attribute: 'a', operator: 'is_set', conditions: [{ segment_key: 's', operator: 'in_segment' }] },
      ],
    },
    ['rule 1 added: a is set and segment s'],
  ],
])('the message of a proposed change shows %s', (_what, patch, phrases) => {
  expect(described(patch)).toEqual(phrases)
})
