import { expect, test } from 'vitest'
import { type Ranked, rankCommands } from '../../../src/app/commands/rank-commands.ts'

const command = (label: string, words = '', group = 'Flags'): Ranked => ({
  group,
  label,
  haystack: `${label} ${words}`.toLowerCase(),
})
const found = (commands: Ranked[], query: string) =>
  rankCommands(commands, query).map(({ name, commands: ofGroup }) => [
    name,
    ...ofGroup.map(({ label }) => label),
  ])

test('the very name comes first, then its beginning, then the beginning of a word, then any part, then other words', () => {
  const flags = [
    command('a-flag', 'about the checkout'),
    command('precheckout'),
    command('new-checkout'),
    command('checkout-banner'),
    command('checkout'),
  ]
  expect(found(flags, 'Checkout')).toEqual([
    ['Flags', 'checkout', 'checkout-banner', 'new-checkout', 'precheckout', 'a-flag'],
  ])
})

test('every word must be somewhere, in any order', () => {
  const flags = [command('new-checkout', 'one button'), command('new-banner')]
  expect(found(flags, 'button new')).toEqual([['Flags', 'new-checkout']])
  expect(found(flags, 'nothing')).toEqual([])
})

test('the group of the best match comes first, and a group shows eight at most', () => {
  const flags = Array.from({ length: 5_000 }, (_, index) => command(`flag-${index}`, 'segments'))
  const [first, second] = rankCommands([...flags, command('Segments', '', 'Pages')], 'segments')
  expect(first?.name).toBe('Pages')
  expect(second?.commands).toHaveLength(8)
})

test('an empty query fits everything, in the given order', () => {
  expect(found([command('b'), command('a', '', 'Pages')], '')).toEqual([
    ['Flags', 'b'],
    ['Pages', 'a'],
  ])
})
