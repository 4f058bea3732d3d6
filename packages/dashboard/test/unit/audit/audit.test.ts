import type { AuditEntry } from '@burgee/contract'
import { describe, expect, test } from 'vitest'
import {
  countFilters,
  NO_WORKSPACE_FILTER,
  toAuditQuery,
  toWorkspaceQuery,
} from '../../../src/features/audit/audit-filter.ts'
import {
  describeEntry,
  describeEntryAction,
  flagsIn,
  originOf,
  subjectOf,
} from '../../../src/parts/audit-entries/describe-entry.ts'
import { aFlag } from '../a-flag.ts'

const NOTHING = { flag_key: '', actor: '', action: '', when: '', from: '', to: '' }
const NOW = new Date(2026, 2, 28, 15, 30, 20).getTime()

describe('the filters of the audit log', () => {
  test('that are empty, blank or no date do not filter', () => {
    expect(toAuditQuery({ ...NOTHING, actor: ' ', from: 'soon', when: 'ever' }, null, NOW)).toEqual({})
    expect(countFilters({ ...NOTHING, actor: ' ' })).toBe(0)
  })

  test('count whole days, the last one included', () => {
    const { from, to } = toAuditQuery({ ...NOTHING, from: '2026-03-28', to: '2026-03-28' }, null, NOW)
    expect(new Date(from ?? '')).toEqual(new Date(2026, 2, 28))
    expect(new Date(to ?? '')).toEqual(new Date(2026, 2, 28, 23, 59, 59, 999))
  })
})

test('a time of the audit log that ends now begins an hour ago, at midnight, or a week ago', () => {
  const from = (when: string) =>
    new Date(toAuditQuery({ ...NOTHING, when, to: '2026-01-01' }, null, NOW).from ?? '')
  expect(from('hour')).toEqual(new Date(2026, 2, 28, 14, 30))
  expect(from('today')).toEqual(new Date(2026, 2, 28))
  expect(from('week')).toEqual(new Date(2026, 2, 21, 15, 30))
  expect(toAuditQuery({ ...NOTHING, when: 'hour', to: '2026-01-01' }, null, NOW).to).toBeUndefined()
})

test('switched on and switched off are filters of the audit log beside its actions', () => {
  expect(toAuditQuery({ ...NOTHING, action: 'switched_off' }, null, NOW)).toEqual({ switched: 'off' })
  expect(toAuditQuery({ ...NOTHING, action: 'update' }, null, NOW)).toEqual({ action: 'update' })
})

test("the filters of the workspace's log are checked before they are sent", () => {
  const project_id = '00000000-0000-4000-8000-000000000001'
  const filter = {
    ...NO_WORKSPACE_FILTER,
    project_id,
    group: 'people',
    credential: ' sdk_key:7 ',
    actor: 'a@b.c',
  }
  expect(toWorkspaceQuery(filter, NOW)).toEqual({
    project_id,
    group: 'people',
    credential: 'sdk_key:7',
    actor: 'a@b.c',
  })
  expect(countFilters(filter)).toBe(4)
  expect(toWorkspaceQuery({ ...NO_WORKSPACE_FILTER, project_id: 'x', group: 'all' }, NOW)).toEqual({})
})

describe('an entry', () => {
  test('of a request states its steps, its discussion and a bypass', () => {
    const approved = { action: 'change_request.approve', flag_key: 'f' } as const
    const metadata = { origin: 'direct', approvals: { given: 1, needed: 2 } }
    expect(describeEntry(anEntry({ ...approved, metadata }))).toBe('1 of 2 approvals')
    const bypassed = anEntry({ ...approved, metadata: { origin: 'change_request', bypass_reason: 'Down' } })
    expect(describeEntryAction(bypassed)).toBe('applied, without approval, a change of')
    const comment = { origin: 'direct', resource: 'change_request:3' }
    expect(describeEntryAction(anEntry({ action: 'update', metadata: comment }))).toBe('commented on')
    const planned = { origin: 'direct', scheduled_change_id: 'x' }
    const opened = {
      action: 'change_request.open',
      after_data: { requested_by: 'edda@example.com' },
    } as const
    expect(describeEntry(anEntry({ ...opened, metadata: planned }))).toContain(
      'scheduled by edda@example.com',
    )
  })

  test('of a flag tells its change in phrases', () => {
    const entry = anEntry({
      flag_key: 'flag',
      before_data: { ...flag },
      after_data: { ...flag, is_enabled: false },
    })
    expect(flagsIn(entry)?.after?.is_enabled).toBe(false)
    expect(describeEntry(entry)).toBe('switched off')
    expect(subjectOf(entry)).toEqual({ kind: 'flag', name: 'flag' })
  })

  test('of a change request to a flag holds no flag', () => {
    expect(flagsIn(anEntry({ flag_key: 'flag', after_data: { id: 1, patch: {} } }))).toBeUndefined()
  })

  test('of anything else is named by what people call it, and tells the fields that changed', () => {
    const key = { resource: 'sdk_key:7', origin: 'import' }
    const entry = anEntry({
      metadata: key,
      before_data: { name: 'Old', id: 7 },
      after_data: { name: 'New', id: 7 },
    })
    expect(subjectOf(entry)).toEqual({ kind: 'sdk_key', name: 'New' })
    expect(describeEntry(entry)).toBe('name')
    expect(originOf(entry)).toBe('By import')
    expect(subjectOf(anEntry({ metadata: { resource: 'reports:flag:checkout' } }))).toEqual({
      kind: 'reports',
      name: 'flag checkout',
    })
    expect(subjectOf(anEntry({ metadata: { resource: 'segment:beta' } }))).toEqual({
      kind: 'segment',
      name: 'beta',
    })
    expect(subjectOf(anEntry({ metadata: null }))).toEqual({ kind: 'something', name: '' })
  })
})

function anEntry(stated: Partial<AuditEntry>): AuditEntry {
  return {
    id: 1,
    environment_id: 'e',
    flag_key: '',
    actor_email: 'ada@example.com',
    action: 'update',
    before_data: {},
    after_data: {},
    metadata: { origin: 'direct' },
    created_at: '2026-01-01T00:00:00.000Z',
    chain: 'e',
    seq: 1,
    hash: '0'.repeat(64),
    ...stated,
  }
}

const flag = aFlag()
