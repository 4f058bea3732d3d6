import type { Flag } from '@burgee/contract'
import { describe, expect, it } from 'vitest'
import { previewChange } from '../../../../src/governance/change-requests/preview-change.ts'
import { createCheckBudget } from '../../../../src/kernel/check-budget.ts'
import type { FlagOperation } from '../../../../src/targeting/flag-model/index.ts'

const NOW = '2026-01-05T10:00:00.000Z'
const moment = () => ({ now: NOW, budget: createCheckBudget(() => 0) })
const base: Flag = {
  key: 'flag',
  is_enabled: false,
  rollout_percentage: null,
  description: null,
  rules: [{ attribute: 'plan', operator: 'equals', values: ['pro'] }],
  flag_type: 'json',
  default_value: { a: 1 },
  disabled_value: null,
  variants: [],
  prerequisites: [],
  tags: [],
  owner_email: null,
  archived_at: null,
  revision: 3,
}
const preview = (operation: FlagOperation, current: Flag | undefined = base) =>
  previewChange(
    { body: JSON.parse(JSON.stringify(operation)), base_flag: base, operation: operation.operation },
    { flag: current, isScheduleGone: false },
    moment(),
  )
const patch = (fields: object): FlagOperation => ({ operation: 'patch', patch: fields })

describe('a preview', () => {
  it('a preview names each field with a JSON pointer', async () => {
    expect(await preview(patch({ is_enabled: true, default_value: { 'b/c': 2 } }))).toEqual({
      before: base,
      after: { ...base, is_enabled: true, default_value: { a: 1, 'b/c': 2 } },
      changes: [
        { path: '/is_enabled', before: false, after: true },
        { path: '/default_value/b~1c', before: null, after: 2 },
      ],
      conflicts: [],
    })
  })

  it('a preview without an effect has no changes', async () => {
    expect((await preview(patch({ is_enabled: false }))).changes).toEqual([])
  })

  it('a preview names what has changed since, without the revision', async () => {
    const current = { ...base, tags: ['new'], default_value: { a: 2 }, revision: 9 }
    expect(await preview(patch({ is_enabled: true }), current)).toMatchObject({
      before: current,
      after: { is_enabled: true, tags: ['new'], default_value: { a: 2 } },
      changes: [{ path: '/is_enabled' }],
      conflicts: ['/default_value/a', '/tags'],
    })
    expect((await preview(patch({}), { ...base, revision: 4 })).conflicts).toEqual([])
  })

  it('a preview of a deletion has nothing after', async () => {
    const { after, changes } = await preview({ operation: 'delete' })
    expect(after).toBeNull()
    expect(changes).toMatchObject([{ path: '', after: null }])
  })

  it('a preview explains that the flag does not exist, or that the change does not fit any more', async () => {
    expect(
      await previewChange(
        { body: { operation: 'archive' }, base_flag: base, operation: 'archive' },
        { flag: undefined, isScheduleGone: false },
        moment(),
      ),
    ).toEqual({
      before: null,
      after: null,
      changes: [],
      conflicts: [],
      problem: 'The flag was deleted.',
    })
    const current: Flag = { ...base, flag_type: 'boolean', default_value: true, disabled_value: false }
    const { after, problem } = await preview(patch({ default_value: { b: 1 } }), current)
    expect(after).toBeNull()
    expect(problem).toMatch(/default_value/)
  })
})
