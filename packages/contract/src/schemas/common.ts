import { type TSchema, Type } from 'typebox'
import { INTEGER_ID_MAX, KEY_MAX_LENGTH, KEY_PATTERN } from '../limits.ts'

/** A field that may be null. A union, because a serialiser writes null as "" for a plain string. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** In its usual form only: the format alone would let `urn:uuid:` through, which the database does not read. */
export const Uuid = Type.String({ format: 'uuid', minLength: 36, maxLength: 36, description: 'A UUID' })

export const IntegerId = Type.Integer({ minimum: 1, maximum: INTEGER_ID_MAX })

/** ISO-8601 UTC with milliseconds in answers; RFC 3339 in requests. */
export const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339 timestamp' })

export const Key = Type.String({
  minLength: 1,
  maxLength: KEY_MAX_LENGTH,
  pattern: KEY_PATTERN,
  description: 'ASCII letters, digits, underscore and hyphen, at most 100 characters',
})

export const Role = Type.Enum(['admin', 'editor', 'viewer'])

/** Any JSON value, at most 32 levels deep. */
export const AnyJson = Type.Unsafe<import('@burgee/evaluation').JsonValue>({})

/** A non-blank name that a person gives. */
export const Name = Type.String({ minLength: 1, pattern: '\\S' })
