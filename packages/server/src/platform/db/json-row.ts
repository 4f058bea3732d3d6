import { type RawBuilder, sql } from 'kysely'

/** Formats a timestamp for JSON like all others: ISO 8601 in UTC with milliseconds. */
export const utcText = (column: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql<string | null>`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Adds the fields of a JSON column, the text of an object without blanks, to the text of an object. */
export const withFields = (object: RawBuilder<string>, column: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`case when ${column}::text = '{}' then ${object}
    else left(${object}, -1) || ',' || substr(${column}::text, 2) end`

/**
 * Formats the columns of a row as the text of a JSON object, in their order. JSON columns are included as
 * stored.
 *
 * @param further Values that are no columns, by the names of their fields.
 */
export function jsonRow(
  columns: readonly string[],
  timestamps: readonly string[],
  further: Readonly<Record<string, RawBuilder<unknown>>> = {},
): RawBuilder<string> {
  const fields = columns.map((column) =>
    timestamps.includes(column)
      ? sql`${utcText(sql.ref(column))} as ${sql.ref(column)}`
      : sql`${sql.ref(column)}`,
  )
  const others = Object.entries(further).map(([name, value]) => sql`${value} as ${sql.ref(name)}`)
  return sql<string>`(select row_to_json(shown)::text from (select ${sql.join([...fields, ...others])}) shown)`
}
