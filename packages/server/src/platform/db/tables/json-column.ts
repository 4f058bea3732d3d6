import type { ColumnType } from 'kysely'

/** A JSON column: read parsed, written as JSON text. */
export type Json<T> = ColumnType<T, string, string>

/** A JSON column that may be SQL NULL. */
export type NullableJson<T> = ColumnType<T | null, string | null, string | null>
