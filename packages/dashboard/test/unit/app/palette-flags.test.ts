import { expect, test } from 'vitest'
import { findFlagsMeant } from '../../../src/app/commands/find-flags-meant.ts'
import { addRecentFlag, parseRecentFlags } from '../../../src/app/recent-flags.ts'
import { aFlag } from '../a-flag.ts'

const flags = [
  aFlag({ key: 'offers' }),
  aFlag({ key: 'payments-v2' }),
  aFlag({ key: 'payments' }),
  aFlag({ key: 'old-payments', archived_at: '2026-01-01T00:00:00.000Z' }),
]

test('the palette offers actions for the flag that a sentence names, the whole key first', () => {
  expect(findFlagsMeant(flags, 'turn off payments').map(({ key }) => key)).toEqual([
    'payments',
    'offers',
    'payments-v2',
  ])
  expect(findFlagsMeant(flags, '')).toEqual([])
})

test('the palette offers actions for four flags at most, however many match', () => {
  const many = Array.from({ length: 5_000 }, (_, at) => aFlag({ key: `payments-${at}` }))

  expect(findFlagsMeant(many, 'payments')).toHaveLength(4)
})

test('a flag that is opened again moves to the front of the recent ones, and six are kept', () => {
  const opened = ['a', 'b', 'c', 'a', 'd', 'e', 'f', 'g']
  const list = opened.reduce(
    (recent, flag_key) => addRecentFlag(recent, { project_id: 'p', environment_id: 'e', flag_key }),
    parseRecentFlags(null),
  )

  expect(list.map(({ flag_key }) => flag_key)).toEqual(['g', 'f', 'e', 'd', 'a', 'c'])
})

test.each(['', 'null', '{"a":1}', '[1,null,{"flag_key":1}]', 'not json'])(
  'stored recent flags that do not fit (%s) are ignored',
  (text) => {
    expect(parseRecentFlags(text)).toEqual([])
  },
)
