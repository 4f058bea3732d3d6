import type { Flag } from '@burgee/contract'
import { describe, expect, it } from 'vitest'
import { createCheckBudget } from '../../../../src/kernel/check-budget.ts'
import { Refusal } from '../../../../src/kernel/refusal.ts'
import { atOnce } from '../../../../src/platform/concurrency/turns.ts'
import { type FlagOperation, operationSteps } from '../../../../src/targeting/flag-model/flag-operation.ts'

const NOW = '2026-01-05T10:00:00.000Z'
const moment = () => ({ now: NOW, budget: createCheckBudget(() => 0) })
const EARLIER = '2025-01-05T10:00:00.000Z'
const base: Flag = {
  key: 'flag',
  is_enabled: true,
  rollout_percentage: 40,
  description: 'Before',
  rules: [],
  flag_type: 'boolean',
  default_value: true,
  disabled_value: false,
  variants: [],
  prerequisites: [],
  tags: ['a', 'b'],
  owner_email: null,
  archived_at: null,
  revision: 7,
}
const archived: Flag = { ...base, archived_at: EARLIER }
const { archived_at: _a, revision: _r, ...content } = base
const elsewhere = { ...content, description: 'Elsewhere', tags: [] }
const source = { id: 'e', name: 'Staging', slug: 'staging' }

const applyNow = (...input: Parameters<typeof operationSteps>) => atOnce(operationSteps(...input))

const patch = (fields: object): FlagOperation => ({ operation: 'patch', patch: fields })
const replace: FlagOperation = { operation: 'replace', flag: { key: 'flag', is_enabled: false } }
const promote: FlagOperation = { operation: 'promote', flag: elsewhere, source }
const restore = (flag: Flag): FlagOperation => ({ operation: 'restore', flag })

const REPLACED = {
  ...base,
  is_enabled: false,
  rollout_percentage: null,
  description: null,
  tags: [],
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `tag-${index}`)

/** Returns items that count how often they are read. */
function countLooks<T>(items: readonly T[]): { looked: () => number; watched: T[] } {
  let looks = 0
  const watched = new Proxy([...items], {
    get(target, name, receiver) {
      if (typeof name === 'string') looks += 1
      const value: unknown = Reflect.get(target, name, receiver)
      // Searching methods read the items themselves, one call for each.
      return typeof value === 'function' ? value.bind(receiver) : value
    },
  })
  return { looked: () => looks, watched }
}

describe('applying an operation to a flag', () => {
  it.each<readonly [string, FlagOperation, Flag | null, Partial<Flag>, string, string]>([
    ['a patch', patch({ tags: null }), base, { tags: [] }, 'update', 'flag.updated'],
    ['a patch with the same key', patch({ key: 'flag' }), base, {}, 'update', 'flag.updated'],
    [
      'a patch that archives',
      patch({ archived_at: EARLIER }),
      base,
      { archived_at: NOW },
      'archive',
      'flag.updated',
    ],
    [
      'a patch of an archived flag',
      patch({ tags: [] }),
      archived,
      { archived_at: EARLIER, tags: [] },
      'update',
      'flag.updated',
    ],
    [
      'a patch that archives again',
      patch({ archived_at: NOW }),
      archived,
      { archived_at: EARLIER },
      'update',
      'flag.updated',
    ],
    [
      'a patch that unarchives',
      patch({ archived_at: null }),
      archived,
      { archived_at: null },
      'unarchive',
      'flag.updated',
    ],
    ['replace', replace, base, REPLACED, 'update', 'flag.created'],
    ['replace of an archived flag', replace, archived, REPLACED, 'update', 'flag.created'],
    ['replace of none', replace, null, { ...REPLACED, revision: 0 }, 'create', 'flag.created'],
    ['promote', promote, base, elsewhere, 'promote', 'flag.promoted'],
    [
      'promote onto an archived flag',
      promote,
      archived,
      { ...elsewhere, archived_at: EARLIER },
      'promote',
      'flag.promoted',
    ],
    ['promote onto none', promote, null, { ...elsewhere, revision: 0 }, 'promote', 'flag.promoted'],
    [
      'restore',
      restore({ ...base, description: 'Old', revision: 2 }),
      base,
      { description: 'Old' },
      'restore',
      'flag.updated',
    ],
    [
      'restore of an archived state',
      restore({ ...archived, revision: 2 }),
      base,
      { archived_at: NOW },
      'restore',
      'flag.updated',
    ],
    [
      'restore of an active state',
      restore({ ...base, revision: 2 }),
      archived,
      { archived_at: null },
      'restore',
      'flag.updated',
    ],
    ['archive', { operation: 'archive' }, base, { archived_at: NOW }, 'archive', 'flag.updated'],
    [
      'archive twice',
      { operation: 'archive' },
      archived,
      { archived_at: EARLIER },
      'archive',
      'flag.updated',
    ],
    ['unarchive', { operation: 'unarchive' }, archived, { archived_at: null }, 'unarchive', 'flag.updated'],
    [
      'add_tags',
      { operation: 'add_tags', tags: ['b', 'c', 'c'] },
      base,
      { tags: ['a', 'b', 'c'] },
      'update',
      'flag.updated',
    ],
    [
      'remove_tags',
      { operation: 'remove_tags', tags: ['b', 'z'] },
      base,
      { tags: ['a'] },
      'update',
      'flag.updated',
    ],
  ])('%s', (_, operation, before, after, action, event) => {
    expect(applyNow(before, operation, moment())).toEqual({
      after: { ...(before ?? { ...base, archived_at: null }), ...after },
      action,
      event,
    })
  })

  it('remove_tags and add_tags read each tag a few times, however many there are', () => {
    const tags = numbered(3_000)
    const { looked, watched } = countLooks(tags)
    const removed = applyNow({ ...base, tags }, { operation: 'remove_tags', tags: watched }, moment())
    expect(removed.after?.tags).toEqual([])
    const added = applyNow({ ...base, tags: ['own'] }, { operation: 'add_tags', tags: watched }, moment())
    expect(added.after?.tags).toEqual(['own', ...tags])
    expect(looked()).toBeLessThan(10 * tags.length)
  })

  it('remove_tags of tens of thousands keeps the others in order', () => {
    const tags = numbered(60_000)
    const operation = { operation: 'remove_tags', tags: tags.slice(30_000) } as const
    expect(applyNow({ ...base, tags }, operation, moment()).after?.tags).toEqual(tags.slice(0, 30_000))
  })

  it('delete leaves no flag', () => {
    const deleted = { after: null, action: 'delete', event: 'flag.deleted' }
    expect(applyNow(archived, { operation: 'delete' }, moment())).toEqual(deleted)
  })
})

const refusalOf = (before: Flag | null, operation: FlagOperation): string => {
  try {
    applyNow(before, operation, moment())
    return 'none'
  } catch (error) {
    if (error instanceof Refusal) return error.kind
    throw error
  }
}

describe('operations that are refused', () => {
  it.each<FlagOperation>([
    patch({ tags: [] }),
    restore(base),
    { operation: 'archive' },
    { operation: 'unarchive' },
    { operation: 'add_tags', tags: ['a'] },
    { operation: 'remove_tags', tags: ['a'] },
    { operation: 'delete' },
  ])('$operation of a flag that is not there', (operation) => {
    expect(refusalOf(null, operation)).toBe('not_found')
  })

  it.each<FlagOperation>([
    patch({ key: 'another' }),
    patch({ flag_type: 'integer' }),
    patch({ variants: [{ weight: 1, value: true }] }),
    { operation: 'replace', flag: { key: 'flag', is_enabled: true, default_value: 'text' } },
    { operation: 'promote', flag: { ...elsewhere, default_value: 1 }, source },
    restore({ ...base, default_value: 1 }),
  ])('a flag that would not be valid as a whole: $operation', (operation) => {
    expect(refusalOf(base, operation)).toBe('invalid')
  })
})
