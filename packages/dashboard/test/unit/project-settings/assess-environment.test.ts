import { expect, test } from 'vitest'
import {
  assessDeletion,
  assessOpening,
} from '../../../src/features/project-settings/environments/assess-environment.ts'

const ALLOWED = { isAllowed: true }
const usual = { is_default: false, require_approval: false, approval_scope: 'patch' } as const
const guarded = { ...usual, require_approval: true, approval_scope: 'all' } as const

test('only a workspace admin ends the approval of every change', () => {
  expect(assessOpening(ALLOWED, { environment: guarded, isWorkspaceAdmin: false }).reason).toContain(
    'Only a workspace admin',
  )
  expect(assessOpening(ALLOWED, { environment: guarded, isWorkspaceAdmin: true })).toEqual(ALLOWED)
})

test('approval of edits only is switched by every admin of the project', () => {
  const environment = { ...guarded, approval_scope: 'patch' } as const

  expect(assessOpening(ALLOWED, { environment, isWorkspaceAdmin: false })).toEqual(ALLOWED)
})

test('the default and the last environment cannot be deleted, by nobody', () => {
  const byAdmin = { isWorkspaceAdmin: true, isLast: false }
  const environment = { ...usual, is_default: true }

  expect(assessDeletion(ALLOWED, { ...byAdmin, environment }).reason).toContain('default')
  expect(assessDeletion(ALLOWED, { ...byAdmin, environment, isLast: true }).reason).toContain('at least one')
  expect(assessDeletion(ALLOWED, { ...byAdmin, environment: usual })).toEqual(ALLOWED)
})

test('a guarded environment is deleted by workspace admins only', () => {
  const circumstances = { environment: guarded, isLast: false }

  expect(assessDeletion(ALLOWED, { ...circumstances, isWorkspaceAdmin: false }).isAllowed).toBe(false)
  expect(assessDeletion(ALLOWED, { ...circumstances, isWorkspaceAdmin: true }).isAllowed).toBe(true)
})

test('what the role does not allow keeps its own reason', () => {
  const refused = { isAllowed: false, reason: 'you are a viewer' }

  expect(assessOpening(refused, { environment: guarded, isWorkspaceAdmin: false })).toBe(refused)
  expect(assessDeletion(refused, { environment: guarded, isLast: true, isWorkspaceAdmin: false })).toBe(
    refused,
  )
})
