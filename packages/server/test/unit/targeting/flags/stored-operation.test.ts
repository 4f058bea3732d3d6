import type { Flag, TargetingRule } from '@burgee/contract'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../../src/kernel/refusal.ts'
import { readStoredOperation } from '../../../../src/targeting/flag-model/stored-operation.ts'
import { readWaitingRules } from '../../../../src/targeting/flag-operations/read-waiting-rules.ts'

const RULE: TargetingRule = { attribute: 'plan', operator: 'equals', values: ['pro'] }
const flag: Flag = {
  key: 'flag',
  is_enabled: true,
  rollout_percentage: 40,
  description: null,
  rules: [RULE],
  flag_type: 'json',
  default_value: { a: [null] },
  disabled_value: null,
  variants: [{ weight: 1, value: null }],
  prerequisites: [{ flag_key: 'other', required_value: 1 }],
  tags: ['a'],
  owner_email: null,
  archived_at: '2026-01-05T10:00:00.000Z',
  revision: 7,
}
const { archived_at: _a, revision: _r, ...content } = flag
const source = { id: 'e', name: 'Staging', slug: 'staging' }

describe('an operation that was stored', () => {
  it.each([
    { operation: 'patch', patch: {} },
    { operation: 'patch', patch: { rules: null, tags: null, variants: null, prerequisites: null } },
    { operation: 'patch', patch: { rules: [{ segment_key: 's', attribute: 7, values: 'ignored' }] } },
    { operation: 'patch', patch: { unknown: 1, revision: 3, rules: [{ ...RULE, colour: 'red' }] } },
    // Formats that were accepted at some time.
    { operation: 'patch', patch: { archived_at: '2026-01-05 10:00:00Z' } },
    { operation: 'patch', patch: { archived_at: '2026-01-05T10:00:00+01' } },
    { operation: 'patch', patch: { archived_at: null } },
    { operation: 'replace', flag: { key: 'flag', is_enabled: true, archived_at: '2026-01-05 10:00:00Z' } },
    { operation: 'promote', flag: content, source },
    { operation: 'restore', flag },
    { operation: 'archive' },
    { operation: 'unarchive' },
    { operation: 'add_tags', tags: ['a'] },
    { operation: 'remove_tags', tags: [] },
    { operation: 'delete' },
  ])('a stored operation is read unchanged: %j', async (stored) => {
    expect(await readStoredOperation(stored)).toBe(stored)
  })

  it.each([
    null,
    'patch',
    [],
    {},
    { operation: null },
    { operation: 'constructor' },
    { operation: '__proto__' },
    { operation: 'rename' },
    { operation: 'patch' },
    { operation: 'patch', patch: null },
    { operation: 'patch', patch: { rules: 'x' } },
    { operation: 'patch', patch: { rules: [{ conditions: 'x' }] } },
    { operation: 'patch', patch: { is_enabled: null } },
    { operation: 'patch', patch: { archived_at: 5 } },
    { operation: 'replace', flag: { key: 'flag' } },
    { operation: 'promote', flag: content },
    { operation: 'restore', flag: content },
    { operation: 'add_tags', tags: [1] },
  ])('an invalid stored operation is refused: %j', async (stored) => {
    const refused = await readStoredOperation(stored).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Refusal)
    expect(refused).toMatchObject({ kind: 'invalid', message: expect.stringContaining('request it again') })
  })
})

describe('the rules of a stored operation', () => {
  it.each<readonly [string, unknown, readonly object[]]>([
    ['a patch of rules', { operation: 'patch', patch: { rules: [RULE] } }, [RULE]],
    ['a patch of something else', { operation: 'patch', patch: { tags: [] } }, []],
    ['a patch to no rules', { operation: 'patch', patch: { rules: null } }, []],
    ['replace', { operation: 'replace', flag: { key: 'f', is_enabled: true, rules: [RULE] } }, [RULE]],
    ['replace without any', { operation: 'replace', flag: { key: 'f', is_enabled: true } }, []],
    ['promote', { operation: 'promote', flag: content, source }, [RULE]],
    ['restore', { operation: 'restore', flag }, [RULE]],
    ['delete', { operation: 'delete' }, []],
    ['what can no longer be read', { operation: 'patch', patch: { rules: [{ conditions: 'x' }] } }, []],
  ])('%s', async (_, stored, rules) => {
    expect(await readWaitingRules(stored)).toEqual(rules)
  })
})
