import { expect, test } from 'vitest'
import { assessOverride } from '../../../src/shared/scope/assess-override.ts'

const ALLOWED = { isAllowed: true }
const open = { name: 'Development', require_approval: false, approval_scope: 'all' } as const
const edits = { name: 'Staging', require_approval: true, approval_scope: 'patch' } as const
const guarded = { name: 'Production', require_approval: true, approval_scope: 'all' } as const

test('a project admin overrides invariants where not every change needs approval', () => {
  const assess = (...environments: readonly (typeof open | typeof edits | typeof guarded)[]) =>
    assessOverride(ALLOWED, { environments, isWorkspaceAdmin: false })
  expect(assess(open, edits)).toEqual(ALLOWED)
  expect(assess()).toEqual(ALLOWED)
  const refused = assess(open, guarded)
  expect(refused.isAllowed).toBe(false)
  expect(refused.reason).toContain('Production')
})

test('a workspace admin overrides them everywhere, and a person without the right nowhere', () => {
  const lacking = { isAllowed: false, reason: 'This needs the role admin in the project.' }
  expect(assessOverride(ALLOWED, { environments: [guarded], isWorkspaceAdmin: true })).toEqual(ALLOWED)
  expect(assessOverride(lacking, { environments: [guarded], isWorkspaceAdmin: false })).toEqual(lacking)
})
