import type { AppliedChange, Environment, FlagInput, ListedFlag } from '@burgee/contract'
import { expect, test } from 'vitest'
import { partBody } from '../../../src/features/import/apply-import.ts'
import { flagProblems, violatingFlags } from '../../../src/features/import/find-refused.ts'
import {
  countClasses,
  type FlagRow,
  filterRows,
  flagRows,
  reasonsOf,
  shownClass,
} from '../../../src/features/import/flag-rows.ts'
import {
  countPlan,
  type EnvironmentPlan,
  leaveOut,
  refuseManaged,
  withDependents,
} from '../../../src/features/import/import-plan.ts'
import { applyChoice, findFlags, type LeftOut, toggleFlags } from '../../../src/features/import/left-out.ts'
import { describePlan } from '../../../src/features/import/outcome-words.ts'

const flag = (key: string, ...needed: string[]): FlagInput => ({
  key,
  is_enabled: true,
  prerequisites: needed.map((flag_key) => ({ flag_key })),
})
const change = (key: string, more: Partial<AppliedChange> = {}): AppliedChange => ({
  resource: 'flag',
  key,
  action: 'create',
  base_revision: 0,
  changes: [],
  warnings: [],
  ...more,
})
// Only these fields are read.
const STAGING = { id: 's', name: 'Staging' } as Environment
const plan = (more: Partial<EnvironmentPlan> = {}): EnvironmentPlan => ({
  source: 'test',
  target: STAGING,
  imported: { environment: 'test', segments: [], flags: [flag('a'), flag('b'), flag('c'), flag('same')] },
  changes: [
    change('a'),
    change('b', { action: 'update', base_revision: 4 }),
    change('c', { action: 'update', base_revision: 5, needs_approval: true }),
    change('beta', { resource: 'segment', base_revision: 2 }),
  ],
  refused: new Map([['d', 'Its value is too large.']]),
  violating: new Set(),
  override: null,
  present: new Map(),
  ...more,
})

test('a plan counts what is new, changed, waiting, unchanged and refused', () => {
  const counts = countPlan(plan())
  expect(counts).toEqual({ created: 1, changed: 1, waiting: 1, unchanged: 1, refused: 1, segments: 1 })
  expect(describePlan(counts)).toBe(
    '1 new flag, 1 flag changed, 1 change for approval, 1 segment, 1 flag as before',
  )
})

test('a flag that needs a refused one is refused too, however far away', () => {
  const flags = [flag('c', 'b'), flag('b', 'a'), flag('a'), flag('free')]
  const refused = withDependents(flags, new Map([['a', 'Its value is too large.']]))
  expect([...refused.keys()].sort()).toEqual(['a', 'b', 'c'])
  expect(refused.get('c')).toBe('It needs b, which is left out.')
})

test('a flag that a name of apply manages is not taken over', () => {
  // Only the name of the manager is read.
  const present = new Map([['a', { managed_by: 'checkout-team' } as ListedFlag]])
  expect([...refuseManaged([flag('a'), flag('b')], present)]).toEqual([
    ['a', 'It exists, and “checkout-team” manages it. Change it there.'],
  ])
})

test('problems of a refusal belong to their flags, and any other problem is no problem of a flag', () => {
  const part = { flags: [flag('a'), flag('b')] }
  const found = flagProblems([{ path: '/flags/1/rules/0/values', message: 'must not be empty' }], part)
  expect([...(found ?? [])]).toEqual([['b', 'Rule 1 values must not be empty.']])
  expect(flagProblems([{ path: '/segments/0/rules', message: 'are too many' }], part)).toBeNull()
  expect(flagProblems([], part)).toBeNull()
})

test('a violated invariant is a reason against its flag, if that is imported', () => {
  const invariants = [
    { key: 'a-never-on', flag: 'a' },
    { key: 'other', flag: 'z' },
  ]
  const part = { flags: [flag('a'), flag('b')] }
  const violation = (key: string) => ({ key, verdict: 'violated', why: 'Someone gets true.' })
  const found = violatingFlags([violation('a-never-on')], invariants, part)
  expect([...(found ?? [])]).toEqual([['a', 'It violates the invariant “a-never-on”: Someone gets true.']])
  expect(violatingFlags([violation('a-never-on'), violation('other')], invariants, part)).toBeNull()
  expect(violatingFlags([violation('unknown')], invariants, part)).toBeNull()
})

test('a write expects the revisions of the preview for its own flags and segments', () => {
  const { if_revisions } = partBody({ segments: [], flags: [flag('b'), flag('same')] }, plan().changes)
  expect(if_revisions).toEqual({ flags: { b: 4 }, segments: {} })
})

const report = (key: string, label: 'exact' | 'moved' | 'approximated' | 'skipped', message?: string) => ({
  key,
  environment: 'test',
  class: label,
  notes: message === undefined ? [] : [{ code: 'x', path: '', message }],
})
const rows = (): FlagRow[] =>
  flagRows(
    {
      aliases: { 'A B': 'A-B' },
      environments: [{ environment: 'test', segments: [], flags: [flag('A-B'), flag('b'), flag('d')] }],
      flags: [
        report('b', 'exact'),
        report('A B', 'approximated', 'A clock decides.'),
        report('d', 'exact'),
        report('gone', 'skipped', 'It has no equal.'),
        { ...report('elsewhere', 'exact'), environment: 'other' },
      ],
    },
    [plan({ changes: [change('A-B')] })],
  )

test('the rows begin with what is not imported, and know the new keys', () => {
  const shown = rows().map(({ cells: [cell], key, sourceKey }) => [
    sourceKey,
    key,
    cell && shownClass(cell),
    cell?.outcome,
  ])
  expect(shown).toEqual([
    ['d', 'd', 'skipped', 'left_out'],
    ['gone', 'gone', 'skipped', 'left_out'],
    ['A B', 'A-B', 'approximated', 'created'],
    ['b', 'b', 'exact', 'unchanged'],
  ])
  expect(countClasses(rows().flatMap(({ cells }) => cells))).toEqual({
    exact: 1,
    moved: 0,
    approximated: 1,
    skipped: 2,
  })
})

test('rows are filtered by class, effect, key and reason', () => {
  const none = { q: '', class: '', outcome: '' } as const
  const keys = (filter: Parameters<typeof filterRows>[1]) => filterRows(rows(), filter).map(({ key }) => key)
  expect(keys(none)).toHaveLength(4)
  expect(keys({ ...none, class: 'skipped' })).toEqual(['d', 'gone'])
  expect(keys({ ...none, outcome: 'created' })).toEqual(['A-B'])
  expect(keys({ ...none, q: 'CLOCK' })).toEqual(['A-B'])
  expect(keys({ ...none, q: 'too large' })).toEqual(['d'])
  expect(rows()[0]?.cells.map(reasonsOf)).toEqual([['Its value is too large.']])
})

test('a flag that is left out takes those with it that need it, and can be taken back', () => {
  const flags = [flag('a'), flag('b', 'a'), flag('free')]
  const whole = plan({
    imported: { environment: 'test', segments: [], flags },
    changes: [change('a'), change('b'), change('free'), change('beta', { resource: 'segment' })],
    refused: new Map(),
  })
  const left = toggleFlags(new Map(), [{ key: 'a', target: STAGING }], true)
  const [rest] = applyChoice([whole], left)
  expect(rest?.imported.flags.map(({ key }) => key)).toEqual(['free'])
  expect(rest?.changes.map(({ key }) => key)).toEqual(['free', 'beta'])
  expect(rest?.refused.get('a')).toBe('You have left it out.')
  expect(rest?.refused.get('b')).toBe('It needs a, which is left out.')
  const back = toggleFlags(left, [{ key: 'a', target: STAGING }], false)
  expect(applyChoice([whole], back)).toEqual([whole])
  expect(leaveOut(plan(), ['d'])).toEqual(plan())
})

test('only flags that are imported can be left out, and only those that were left out taken back', () => {
  const left: LeftOut = new Map([['s', new Set(['d'])]])
  const keys = (isLeftOut: boolean) => findFlags(rows(), left, { isLeftOut }).map(({ key }) => key)
  expect(keys(false)).toEqual(['A-B', 'b'])
  expect(keys(true)).toEqual(['d'])
})
