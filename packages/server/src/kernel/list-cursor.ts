import { findUncleanInput } from './hygiene.ts'
import { invalid } from './refusal.ts'

/** The parts of a position in a list: a key, an id, a time. */
export type CursorPart = 'text' | 'id' | 'instant'
type Place = readonly (string | number)[]

const TEXT_MAX_LENGTH = 1_000

/** Encodes a position in a list as an opaque text. `list` prevents its use with another list. */
export const toCursor = (list: string, place: Place): string =>
  Buffer.from(JSON.stringify([list, ...place])).toString('base64url')

/**
 * Decodes the position after which a page starts; null without a cursor. Refuses with `invalid` what
 * `toCursor` did not create.
 */
export function readCursor(
  list: string,
  parts: readonly CursorPart[],
  cursor: string | undefined,
): Place | null {
  if (cursor === undefined) return null
  const [name, ...place] = parse(cursor)
  const fits =
    name === list && place.length === parts.length && parts.every((part, nth) => FITS[part](place[nth]))
  if (!fits) throw unusable()
  return place as Place // Each part was checked to be a text or a number.
}

function parse(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

const FITS: Readonly<Record<CursorPart, (value: unknown) => boolean>> = {
  text: (value) =>
    typeof value === 'string' && value.length <= TEXT_MAX_LENGTH && findUncleanInput(value, 1) === null,
  id: (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0,
  instant: (value) => typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value)),
}
/** PostgreSQL knows no year 0. */
const INSTANT = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const unusable = () =>
  invalid([
    {
      path: '/cursor',
      message: 'is not a cursor of this list; send the value of the header X-Next-Cursor, or leave it out',
    },
  ])
