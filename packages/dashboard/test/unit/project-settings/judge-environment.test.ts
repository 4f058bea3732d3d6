import { expect, test } from 'vitest'
import {
  judgeDeletion,
  judgeOpening,
} from '../../../src/features/project-settings/environments/judge-environment.ts'

const ALLOWED = { is_allowed: true }
const usual = { is_default: false, require_approval: false, approval_scope: 'patch' } as const
const guarded = { ...usual, require_approval: true, approval_scope: 'all' } as const

test('only a workspace admin ends the approval of every change', () => {
  expect(judgeOpening(ALLOWED, { environment: guarded, is_workspace_admin: false }).reason).toContain(
    'Only a workspace admin',
  )
  expect(judgeOpening(ALLOWED, { environment: guarded, is_workspace_admin: true })).toEqual(ALLOWED)
})

test('approval of edits only is switched by every admin of the project', () => {
  const environment = { ...guarded, approval_scope: 'patch' } as const

  expect(judgeOpening(ALLOWED, { environment, is_workspace_admin: false })).toEqual(ALLOWED)
})

test('the default and the last environment cannot be deleted, by nobody', () => {
  const by_admin = { is_workspace_admin: true, is_last: false }
  const environment = { ...usual, is_default: true }

  expect(judgeDeletion(ALLOWED, { ...by_admin, environment }).reason).toContain('default')
  expect(judgeDeletion(ALLOWED, { ...by_admin, environment, is_last: true }).reason).toContain('at least one')
  expect(judgeDeletion(ALLOWED, { ...by_admin, environment: usual })).toEqual(ALLOWED)
})

test('a guarded environment is deleted by workspace admins only', () => {
  const circumstances = { environment: guarded, is_last: false }

  expect(judgeDeletion(ALLOWED, { ...circumstances, is_workspace_admin: false }).is_allowed).toBe(false)
  expect(judgeDeletion(ALLOWED, { ...circumstances, is_workspace_admin: true }).is_allowed).toBe(true)
})

test('what the role does not allow keeps its own reason', () => {
  const refused = { is_allowed: false, reason: 'you are a viewer' }

  expect(judgeOpening(refused, { environment: guarded, is_workspace_admin: false })).toBe(refused)
  expect(judgeDeletion(refused, { environment: guarded, is_last: true, is_workspace_admin: false })).toBe(
    refused,
  )
})
