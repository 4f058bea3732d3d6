import { expect, test } from 'vitest'
import {
  judgeDeletion,
  judgeOpening,
} from '../../../src/features/project-settings/environments/judge-environment.ts'

const ALLOWED = { isAllowed: true }
const usual = { is_default: false, require_approval: false, approval_scope: 'patch' } as const
const guarded = { ...usual, require_approval: true, approval_scope: 'all' } as const

test('only a workspace admin ends the approval of every change', () => {
  expect(judgeOpening(ALLOWED, { environment: guarded, isWorkspaceAdmin: false }).reason).toContain(
    'Only a workspace admin',
  )
  expect(judgeOpening(ALLOWED, { environment: guarded, isWorkspaceAdmin: true })).toEqual(ALLOWED)
})

test('approval of edits only is switched by every admin of the project', () => {
  const environment = { ...guarded, approval_scope: 'patch' } as const

  expect(judgeOpening(ALLOWED, { environment, isWorkspaceAdmin: false })).toEqual(ALLOWED)
})

test('the default and the last environment cannot be deleted, by nobody', () => {
  const byAdmin = { isWorkspaceAdmin: true, isLast: false }
  const environment = { ...usual, is_default: true }

  expect(judgeDeletion(ALLOWED, { ...byAdmin, environment }).reason).toContain('default')
  expect(judgeDeletion(ALLOWED, { ...byAdmin, environment, isLast: true }).reason).toContain('at least one')
  expect(judgeDeletion(ALLOWED, { ...byAdmin, environment: usual })).toEqual(ALLOWED)
})

test('a guarded environment is deleted by workspace admins only', () => {
  const circumstances = { environment: guarded, isLast: false }

  expect(judgeDeletion(ALLOWED, { ...circumstances, isWorkspaceAdmin: false }).isAllowed).toBe(false)
  expect(judgeDeletion(ALLOWED, { ...circumstances, isWorkspaceAdmin: true }).isAllowed).toBe(true)
})

test('what the role does not allow keeps its own reason', () => {
  const refused = { isAllowed: false, reason: 'you are a viewer' }

  expect(judgeOpening(refused, { environment: guarded, isWorkspaceAdmin: false })).toBe(refused)
  expect(judgeDeletion(refused, { environment: guarded, isLast: true, isWorkspaceAdmin: false })).toBe(
    refused,
  )
})
