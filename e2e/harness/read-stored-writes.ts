import { withDatabase } from './with-database.ts'

/** The flags of an environment in the database, in order. */
export interface StoredWrites {
  readonly revision: number
  readonly changes: readonly { revision: number; flag_key: string; value: number }[]
  readonly audit: readonly { flag_key: string; before: number | null; after: number; revision: number }[]
  readonly flags: ReadonlyMap<string, number>
}

export async function readStoredWrites(databaseUrl: string, environment_id: string): Promise<StoredWrites> {
  return withDatabase(databaseUrl, async (pool) => {
    const rows = async (text: string) => (await pool.query(text, [environment_id])).rows
    const [environment] = await rows('select revision from environments where id = $1')
    const flags = await rows('select key, default_value as value from flags where environment_id = $1')
    return {
      revision: environment.revision,
      changes: await rows(
        `select revision, flag_key, (flag->>'default_value')::int as value
         from environment_changes where environment_id = $1 order by revision`,
      ),
      audit: await rows(
        `select flag_key, (before_data->>'default_value')::int as before, (after_data->>'default_value')::int as after,
           (after_data->>'revision')::int as revision
         from audit_log where environment_id = $1 and flag_key <> '' order by id`,
      ),
      flags: new Map(flags.map(({ key, value }) => [key, value])),
    }
  })
}
