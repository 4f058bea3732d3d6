import type { ColumnType } from 'kysely'

/** Read parsed, written as JSON text. */
export type Json<T> = ColumnType<T, string, string>

/** The same, or SQL NULL. */
export type NullableJson<T> = ColumnType<T | null, string | null, string | null>
