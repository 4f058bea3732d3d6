import { type RawBuilder, sql } from 'kysely'

/** A timestamp inside JSON, written as timestamps are read elsewhere: ISO-8601 UTC with milliseconds. */
export const utcText = (column: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql<string | null>`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The columns of a row as the text of a JSON object, in their order. JSON columns are handed on as they are stored. */
export function jsonRow(columns: readonly string[], timestamps: readonly string[]): RawBuilder<string> {
  const fields = columns.map((column) =>
    timestamps.includes(column)
      ? sql`${utcText(sql.ref(column))} as ${sql.ref(column)}`
      : sql`${sql.ref(column)}`,
  )
  return sql<string>`(select row_to_json(shown)::text from (select ${sql.join(fields)}) shown)`
}
