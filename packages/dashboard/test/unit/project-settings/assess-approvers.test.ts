import type { CustomRole } from '@burgee/contract'
import { expect, test } from 'vitest'
import {
  describeSetting,
  listEffects,
} from '../../../src/features/project-settings/approvals/approval-labels.ts'
import {
  type Candidate,
  findApproverProblems,
} from '../../../src/features/project-settings/approvals/assess-approvers.ts'

const role = (key: string, permissions: CustomRole['permissions']): CustomRole => ({
  ...{ key, name: key, description: '', permissions, is_built_in: true },
  ...{ member_count: 0, override_count: 0, created_at: '2026-01-01T00:00:00.000Z' },
})
const roles = [role('viewer', ['read_environment']), role('editor', ['read_environment', 'review_changes'])]
const person = (user_id: number, name: string, more: Partial<Candidate> = {}): Candidate => ({
  ...{ user_id, name, email: `${name}@example.com`, role: 'editor', isWorkspaceAdmin: false },
  ...more,
})
const candidates = [
  person(1, 'Ann'),
  person(2, 'Ben'),
  person(3, 'Vic', { role: 'viewer' }),
  person(4, 'Eve', { environment_roles: [{ environment_id: 'env', role: 'viewer' }] }),
  person(5, 'Root', { role: '', isWorkspaceAdmin: true }),
]
const problems = (approvers: Parameters<typeof findApproverProblems>[0]['approvers'], min_approvals = 1) =>
  findApproverProblems({ approvers, min_approvals, environment_id: 'env' }, { candidates, roles })

test('enough approvers are no problem', () => {
  expect(problems([])).toEqual([])
  expect(problems([{ role: 'editor' }])).toEqual([])
  expect(problems([{ user_id: 1 }, { user_id: 5 }])).toEqual([])
})

test('people and roles without the right to review are named', () => {
  expect(problems([{ user_id: 1 }, { user_id: 2 }, { user_id: 3 }])).toEqual([
    'Vic may not review changes here, and so cannot approve.',
  ])
  expect(problems([{ role: 'viewer' }])).toEqual([
    'The role viewer does not include reviewing, so members with it cannot approve.',
    'No one can approve here, and 1 must. Changes wait until there are more.',
  ])
})

test('a role in the single environment counts', () => {
  expect(problems([{ role: 'editor' }], 3)[0]).toContain('Only 2 people can approve here, and 3 must')
  expect(problems([{ user_id: 4 }])[0]).toContain('Eve may not review')
})

test('exactly as many as are needed cannot approve what one of them requests', () => {
  expect(problems([{ user_id: 1 }])[0]).toContain('waits for someone else')
  expect(problems([], 4)[0]).toContain('Apart from workspace admins, only 3 people can approve here')
})

test('the setting in short names what differs from the usual', () => {
  const setting = { approval_scope: 'all', min_approvals: 1, approvers: [] } as never
  expect(describeSetting(setting)).toBe('Every change')
  const stricter = { approval_scope: 'patch', min_approvals: 2, approvers: [{ user_id: 1 }] } as never
  expect(describeSetting(stricter)).toBe('Edits only · 2 approvals · 1 approver')
})

test('under edits only, everything but edits passes', () => {
  expect(listEffects('all').passing).toEqual(['Creating a flag that is new and that no other flag needs'])
  expect(listEffects('patch').passing).toContain('Deleting a flag')
  expect(listEffects('patch').passing).not.toContain('Editing a flag: switch, rollout, rules, values')
})
