import type { Kysely } from 'kysely'
import { hashPart, readAdoptedMigrations } from '../../src/platform/db/adopted-migrations.ts'
import { describeSchema, type SchemaDescription } from '../../src/platform/db/describe-schema.ts'
import type { Database } from '../../src/platform/db/tables.ts'
import { migrateAsBefore } from './first-migrations.ts'

type Hashed = Record<string, Record<string, string | null>>

/** Makes the hashes of `migrations/adopted.json` from the migrations themselves, in an empty database. */
export async function makeAdopted(db: Kysely<Database>) {
  const { names } = await readAdoptedMigrations()
  await migrateAsBefore(db)
  let schema = await describeSchema(db)
  const objects = compareSchemas(new Map(), schema)
  const changes: Record<string, Hashed> = {}
  for (const [at, name] of Object.keys(names.renamed).entries()) {
    await migrateAsBefore(db, { later: at + 1 })
    const next = await describeSchema(db)
    changes[name] = compareSchemas(schema, next)
    schema = next
  }
  return { objects, changes }
}

/** Returns the hashes of the parts that are different afterwards; null for those that are gone. */
export function compareSchemas(before: SchemaDescription, after: SchemaDescription): Hashed {
  const changed: Hashed = {}
  for (const object of new Set([...before.keys(), ...after.keys()])) {
    const old = before.get(object) ?? new Map<string, string>()
    const parts = after.get(object) ?? new Map<string, string>()
    const different = [...new Set([...old.keys(), ...parts.keys()])]
      .filter((part) => old.get(part) !== parts.get(part))
      .map((part) => {
        const text = parts.get(part)
        return [part, text === undefined ? null : hashPart(text)]
      })
    if (different.length > 0) changed[object] = Object.fromEntries(different)
  }
  return changed
}
