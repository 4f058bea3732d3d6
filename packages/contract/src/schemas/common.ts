import type { JsonValue } from '@burgee/evaluation'
import { type TSchema, Type } from 'typebox'
import { INTEGER_ID_MAX, KEY_MAX_LENGTH, KEY_PATTERN, NAME_MAX_LENGTH } from '../limits.ts'

/** Annotations of a field for documents; validation ignores them. */
interface Notes {
  readonly description?: string
  readonly examples?: unknown[]
  /** Only responses have the field. Writes that send it are accepted, and its value is ignored. */
  readonly readOnly?: true
  /** Only writes have the field. No response has it. */
  readonly writeOnly?: true
}

/** A field that may be null. It is a union, because a serializer writes null as "" for a plain string. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/**
 * A UUID in its usual form. The format alone would also accept `urn:uuid:`, which the database does not read.
 */
export const uuid = (notes: Notes) => Type.String({ format: 'uuid', minLength: 36, maxLength: 36, ...notes })

export const integerId = (notes: Notes) => Type.Integer({ minimum: 1, maximum: INTEGER_ID_MAX, ...notes })

/** A time: ISO 8601 in UTC with milliseconds in responses, RFC 3339 in requests. */
export const timestamp = (notes: Notes) => Type.String({ format: 'date-time', ...notes })
export const Timestamp = timestamp({ description: 'RFC 3339 timestamp' })
export const CreatedAt = timestamp({ description: 'When it was created, UTC', readOnly: true })

export const key = (notes: Notes) =>
  Type.String({ minLength: 1, maxLength: KEY_MAX_LENGTH, pattern: KEY_PATTERN, ...notes })
export const Key = key({
  description: 'ASCII letters, digits, underscore and hyphen, at most 100 characters',
})

export const role = (notes: Notes) => Type.Enum(['admin', 'editor', 'viewer'], { ...notes })
export const Role = role({})

/** Any JSON value, at most 32 levels deep. */
export const anyJson = (notes: Notes) => Type.Unsafe<JsonValue>({ ...notes })
export const AnyJson = anyJson({})

/** A non-blank name that a person enters, with visible characters only (docs/reference/api.md#names). */
export const plainName = <const L extends number>(maxLength: L, notes: Notes = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', format: 'plain-name', ...notes })
export const name = (notes: Notes) => plainName(NAME_MAX_LENGTH, notes)
