import type { JsonValue } from '@burgee/evaluation'

/** The sighting of a user that is not stored yet. */
export interface Sighting {
  readonly user_hash: Buffer
  readonly user_key: string
  /** The context as JSON; null where the SDK sent none. */
  readonly context: string | null
  /** Milliseconds since 1970. */
  readonly seen_at: number
}

/** The characters of the kept attributes. A user with more counts as one without known attributes. */
const ATTRIBUTES_MAX_LENGTH = 4_096

/**
 * Returns the named attributes of a context as JSON, null for those that it lacks. Returns null without a
 * context, and where the attributes are too long.
 */
export function keepAttributes(context: string | null, names: readonly string[]): string | null {
  if (context === null) return null
  const parsed = JSON.parse(context) as JsonValue
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) return null
  const sent = new Map(Object.entries(parsed))
  const text = JSON.stringify(Object.fromEntries(names.map((name) => [name, sent.get(name) ?? null])))
  return text.length > ATTRIBUTES_MAX_LENGTH ? null : text
}
