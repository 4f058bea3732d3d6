import { canonicalJson, type Environment, type ListedFlag, type ProjectFlag } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import type { Database } from '../../platform/db/tables.ts'
import { findListedFlag } from '../../targeting/flags/index.ts'
import { listWaiting, listWeek } from './project-flag-queries.ts'

type InEnvironment = ProjectFlag['environments'][number]

/** Fields that differ between environments without a difference of the flag. */
const OWN_FIELDS = ['revision', 'created_at', 'updated_at', 'updated_by', 'archived_at']
const VALUES_SHOWN = 10

/** Reads a flag in environments of a project, each beside the default environment. */
export async function readInEnvironments(
  db: Kysely<Database>,
  {
    environments,
    key,
    since,
  }: { readonly environments: readonly Environment[]; readonly key: string; readonly since: string },
): Promise<InEnvironment[]> {
  const ids = environments.map(({ id }) => id)
  const [week, waiting] = [await listWeek(db, ids, { key, since }), await listWaiting(db, ids, key)]
  const flags = new Map<string, ListedFlag>()
  for (const id of ids) {
    const flag = await findListedFlag(db, id, key)
    if (flag) flags.set(id, flag)
  }
  const standard = environments.find(({ is_default }) => is_default)
  const reference = standard && flags.get(standard.id)
  const differsFrom = reference && rememberTexts(reference)
  const places: InEnvironment[] = []
  for (const { id, is_default, name } of environments) {
    await shareTurn()
    const flag = flags.get(id) ?? null
    const values = week.filter(({ environment_id }) => environment_id === id)
    const waits = waiting.find(({ environment_id }) => environment_id === id)
    places.push({
      ...{ environment_id: id, name, is_default, flag },
      differs_in: flag && differsFrom && !is_default ? differingFields(flag, differsFrom) : [],
      impressions: values.reduce((sum, { impressions }) => sum + impressions, 0),
      values: values.slice(0, VALUES_SHOWN).map(({ impressions, value }) => ({ value, impressions })),
      pending_requests: waits?.pending_requests ?? 0,
      scheduled_changes: waits?.scheduled_changes ?? 0,
    })
  }
  return places
}

type Texts = ReadonlyMap<string, string>

/** Returns the fields that are compared, as texts: those of the default environment are made once. */
const rememberTexts = (flag: ListedFlag): Texts =>
  new Map(
    Object.entries(flag)
      .filter(([name, value]) => !OWN_FIELDS.includes(name) && value !== undefined)
      .map(([name, value]) => [name, canonicalJson(value as never)]),
  )

function differingFields(flag: ListedFlag, reference: Texts): string[] {
  const own = rememberTexts(flag)
  return [...new Set([...own.keys(), ...reference.keys()])].filter(
    (name) => own.get(name) !== reference.get(name),
  )
}
