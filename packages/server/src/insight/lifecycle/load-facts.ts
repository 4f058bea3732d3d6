import type { Environment, StaleFlag } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { inShortTurns } from '../../platform/concurrency/turns.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { EnvironmentFacts, FlagFacts, Window } from './assess-flag.ts'
import type { Constants, ProvedConstants } from './constants.ts'
import {
  type AssessedRow,
  type DependantRow,
  findRevisions,
  listAssessedFlags,
  listDependants,
  listNeedingKeys,
  listSeen,
  type SeenRow,
} from './queries.ts'

interface Place {
  readonly project_id: string
  /** The one flag that is wanted; null for all. */
  readonly key: string | null
  readonly environments: readonly Environment[]
}

/** The flags between two yields. */
const FLAGS_A_STEP = 200

interface FactsDeps {
  readonly db: Kysely<Database>
  readonly constants: Constants
}

export interface LoadedFacts {
  readonly flags: readonly FlagFacts[]
  /** False where the values of some flags were not decided in the time of a request. */
  readonly isWhole: boolean
}

/** Reads what is known of the active flags of a project, or of one of them. */
export async function loadFacts(
  { constants, db }: FactsDeps,
  { environments, key, project_id }: Place,
  { since }: Window,
): Promise<LoadedFacts> {
  const revisions = await findRevisions(db, project_id)
  const [rows, seen, others, needing] = [
    await listAssessedFlags(db, project_id, key),
    await listSeen(db, project_id, since),
    await listDependants(db, project_id),
    key === null ? null : await listNeedingKeys(db, project_id, key),
  ]
  const proved = new Map<string, ProvedConstants>()
  for (const environment_id of new Set(rows.map((row) => row.environment_id))) {
    const revision = revisions.get(environment_id) ?? 0
    proved.set(environment_id, await constants.prove(environment_id, { key, revision }))
  }
  const flags = await inShortTurns(combine({ rows, seen, others, needing, environments, key, proved }))
  return { flags, isWhole: [...proved.values()].every(({ isWhole }) => isWhole) }
}

interface Rows {
  readonly rows: readonly AssessedRow[]
  readonly seen: readonly SeenRow[]
  readonly others: readonly DependantRow[]
  /** Flags that need the one flag; null where all flags are read, which state it themselves. */
  readonly needing: readonly string[] | null
  readonly environments: readonly Environment[]
  readonly key: string | null
  /** By environment. */
  readonly proved: ReadonlyMap<string, ProvedConstants>
}

function* combine({
  environments,
  key,
  needing,
  others,
  proved,
  rows,
  seen,
}: Rows): Generator<void, FlagFacts[]> {
  const names = new Map(environments.map(({ id, name }) => [id, name]))
  const seenBy = new Map(seen.map((one) => [placeOf(one.environment_id, one.flag_key), one]))
  const reporting = new Set(seen.map(({ environment_id }) => environment_id))
  const needs = yield* collectDependants({ key, needing, others, rows })
  const flags = new Map<string, EnvironmentFacts[]>()
  for (const [at, row] of rows.entries()) {
    if (at % FLAGS_A_STEP === 0) yield
    const facts = flags.get(row.key) ?? []
    facts.push(
      factsOf(row, names.get(row.environment_id) ?? '', {
        seen: seenBy.get(placeOf(row.environment_id, row.key)),
        isReporting: reporting.has(row.environment_id),
        constant: proved.get(row.environment_id)?.values.get(row.key),
      }),
    )
    flags.set(row.key, facts)
  }
  return [...flags].map(([flag_key, facts]) => ({
    flag_key,
    environments: facts,
    dependants: needs.get(flag_key) ?? [],
  }))
}

const placeOf = (environment_id: string, key: string) => `${environment_id} ${key}`

interface Observed {
  readonly seen: SeenRow | undefined
  readonly isReporting: boolean
  readonly constant: EnvironmentFacts['constant'] | undefined
}

function factsOf(
  row: AssessedRow,
  name: string,
  { constant, isReporting, seen }: Observed,
): EnvironmentFacts {
  const { created_at, environment_id, expires_at, is_enabled, lifetime, updated_at } = row
  return {
    ...{ environment_id, name, created_at, updated_at, expires_at, isReporting },
    isPermanent: lifetime === 'permanent',
    isEnabled: is_enabled,
    impressions: seen?.impressions ?? 0,
    ...(constant && { constant }),
    ...(seen?.values === 1 && { onlyValue: seen.value }),
  }
}

function* collectDependants({
  key,
  needing,
  others,
  rows,
}: Pick<Rows, 'key' | 'needing' | 'others' | 'rows'>): Generator<
  void,
  ReadonlyMap<string, StaleFlag['dependants']>
> {
  const found = new Map<string, Map<string, StaleFlag['dependants'][number]>>()
  const add = (flag_key: string, dependant: StaleFlag['dependants'][number]): void => {
    const known = found.get(flag_key) ?? new Map()
    found.set(flag_key, known.set(`${dependant.kind} ${dependant.key}`, dependant))
  }
  if (needing !== null && key !== null) for (const needed of needing) add(key, { kind: 'flag', key: needed })
  else
    for (const row of rows) {
      // A flag may have thousands of prerequisites.
      if (row.prerequisite_keys.length > 0) yield
      for (const needed of row.prerequisite_keys) add(needed, { kind: 'flag', key: row.key })
    }
  for (const { flag_key, ...dependant } of others) add(flag_key, dependant)
  return new Map([...found].map(([flag_key, dependants]) => [flag_key, [...dependants.values()]]))
}
