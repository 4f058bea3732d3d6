import type { Answer, As } from '../harness/start-test-server.ts'
import { stateOf } from '../harness/state-of.ts'
import type { EnvironmentCalls } from './environment-calls.ts'

/** A way to change an existing flag, equal in every environment. */
export interface Change {
  readonly title: string
  /** The operation of its change request. */
  readonly operation: string
  /** True when the flag is archived before. */
  readonly archived?: boolean
  readonly run: (at: Place, key: string, as: As) => Promise<Answer>
}

export interface Place {
  readonly calls: EnvironmentCalls
  /** The environment that promotions come from, with a flag of the same key. */
  readonly source: EnvironmentCalls
}

/** The state of the twins' flags before the change. */
const BEFORE = {
  is_enabled: true,
  description: 'Before',
  flag_type: 'json',
  default_value: { kept: 1, gone: { deep: true } },
  rules: [{ attribute: 'plan', operator: 'equals', values: ['pro'], variant: 1 }],
  tags: ['a', 'b'],
  owner_email: 'team@example.com',
}

const bulk =
  (action: string, tags?: readonly string[]): Change['run'] =>
  ({ calls }, key, as) =>
    calls.send('POST', '/flags/bulk', as, { keys: [key], action, ...(tags && { tags }) })

const post =
  (end: string): Change['run'] =>
  ({ calls }, key, as) =>
    calls.send('POST', `/flags/${key}/${end}`, as)

/** Every way to change an existing flag (docs/reference/governance.md#approval-scopes). */
export const CHANGES: readonly Change[] = [
  {
    title: 'PATCH',
    operation: 'patch',
    run: ({ calls }, key, as) =>
      calls.patch(key, { rollout_percentage: 10, default_value: { gone: null } }, as),
  },
  {
    title: 'PATCH that archives',
    operation: 'patch',
    run: ({ calls }, key, as) => calls.patch(key, { archived_at: '2026-01-01T00:00:00Z' }, as),
  },
  {
    title: 'PATCH that unarchives',
    operation: 'patch',
    archived: true,
    run: ({ calls }, key, as) => calls.patch(key, { archived_at: null }, as),
  },
  {
    title: 'POST over an existing key',
    operation: 'replace',
    run: ({ calls }, key, as) =>
      calls.put({ key, flag_type: 'json', default_value: { kept: 2, added: [null] }, tags: ['c'] }, as),
  },
  {
    title: 'POST over an archived flag',
    operation: 'replace',
    archived: true,
    run: ({ calls }, key, as) => calls.put({ key, flag_type: 'string', default_value: 'x' }, as),
  },
  {
    title: 'promote onto an existing flag',
    operation: 'promote',
    run: ({ calls, source }, key, as) =>
      source.send('POST', `/flags/${key}/promote`, as, { target_env_id: calls.id }),
  },
  {
    title: 'promote onto an archived flag',
    operation: 'promote',
    archived: true,
    run: ({ calls, source }, key, as) =>
      source.send('POST', `/flags/${key}/promote`, as, { target_env_id: calls.id.toUpperCase() }),
  },
  { title: 'archive', operation: 'archive', run: post('archive') },
  { title: 'archive of an archived flag', operation: 'archive', archived: true, run: post('archive') },
  { title: 'unarchive', operation: 'unarchive', archived: true, run: post('unarchive') },
  {
    title: 'restore',
    operation: 'restore',
    run: async ({ calls }, key, as) => {
      const { body } = await calls.send('GET', `/flags/${key}/history`, 'admin')
      return calls.send('POST', `/flags/${key}/restore`, as, { revision: body.at(-1).revision })
    },
  },
  { title: 'bulk enable', operation: 'patch', run: bulk('enable') },
  { title: 'bulk disable', operation: 'patch', run: bulk('disable') },
  { title: 'bulk archive', operation: 'archive', run: bulk('archive') },
  { title: 'bulk unarchive', operation: 'unarchive', archived: true, run: bulk('unarchive') },
  { title: 'bulk add_tags', operation: 'add_tags', run: bulk('add_tags', ['b', 'c']) },
  { title: 'bulk remove_tags', operation: 'remove_tags', run: bulk('remove_tags', ['b', 'z']) },
  { title: 'bulk delete', operation: 'delete', run: bulk('delete') },
  { title: 'DELETE', operation: 'delete', run: ({ calls }, key, as) => calls.remove(key, as) },
  {
    title: 'DELETE of an archived flag',
    operation: 'delete',
    archived: true,
    run: ({ calls }, key, as) => calls.remove(key, as),
  },
]

/**
 * Creates the flag whose changes are compared, in both twins and, with other values, where promotions come
 * from.
 */
export async function seedTwins(
  key: string,
  { archived = false }: Change,
  places: readonly Place[],
): Promise<void> {
  for (const { calls } of places) {
    await calls.put({ key, is_enabled: false, description: 'First' })
    // The flag must have existed before approval was required, or have been approved: a workspace admin
    // changes the setting.
    await calls.require({ require_approval: false })
    await calls.put({ key, ...BEFORE })
    if (archived) await calls.send('POST', `/flags/${key}/archive`, 'admin')
  }
  const { source } = places[0] ?? {}
  await source?.put({ key, is_enabled: false, description: 'From elsewhere', tags: ['promoted'] })
}

/** Returns what is equal in every environment: without the revision and the time of archiving. */
export function contentOf(flag: Record<string, unknown>): object {
  const { archived_at, revision: _, ...content } = stateOf(flag)
  return { ...content, isArchived: archived_at !== null && archived_at !== undefined }
}
