import { expect, test } from 'vitest'
import { dependentFlags } from '../../../src/features/flags/lifecycle/dependent-flags.ts'
import { undoBulk } from '../../../src/features/flags/list/bulk/undo-bulk.ts'
import { aFlag } from '../a-flag.ts'

const ON = aFlag({ key: 'on', tags: ['a'] })
const OFF = aFlag({ key: 'off', is_enabled: false })
const ARCHIVED = aFlag({ key: 'archived', archived_at: '2026-01-01T00:00:00.000Z' })

test('undo turns off only what was off before', () => {
  expect(undoBulk({ action: 'enable' }, [ON, OFF], ['on', 'off'])).toEqual([
    { action: 'disable', keys: ['off'] },
  ])
})

test('undo leaves alone what was not done', () => {
  expect(undoBulk({ action: 'disable' }, [ON], [])).toEqual([])
})

test('undo archives again only what was archived', () => {
  expect(undoBulk({ action: 'unarchive' }, [ON, ARCHIVED], ['on', 'archived'])).toEqual([
    { action: 'archive', keys: ['archived'] },
  ])
})

test('undo takes each tag from those that lacked it', () => {
  expect(undoBulk({ action: 'add_tags', tags: ['a', 'b'] }, [ON, OFF], ['on', 'off'])).toEqual([
    { action: 'remove_tags', keys: ['off'], tags: ['a'] },
    { action: 'remove_tags', keys: ['on', 'off'], tags: ['b'] },
  ])
})

test('a deletion has no undo', () => {
  expect(undoBulk({ action: 'delete' }, [ON], ['on'])).toEqual([])
})

test('flags that need one of those that go are named, unless they go too or are archived', () => {
  const needs = { prerequisites: [{ flag_key: 'on' }] }
  const flags = [
    ON,
    aFlag({ key: 'in-need', ...needs }),
    aFlag({ key: 'goes-too', ...needs }),
    aFlag({ key: 'archived', ...needs, archived_at: '2026-01-01T00:00:00.000Z' }),
  ]

  expect(dependentFlags(flags, ['on', 'goes-too']).map(({ key }) => key)).toEqual(['in-need'])
})
