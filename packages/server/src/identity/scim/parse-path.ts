import { PATH_MAX_LENGTH } from './limits.ts'
import { withoutSchema } from './schema-uris.ts'
import { badRequest } from './scim-refused.ts'

/** The target of a PATCH operation, with names in lower case. */
export interface AttributePath {
  readonly attribute: string
  /** The items of a list that are meant: `[type eq "work"]`. */
  readonly where: { readonly sub: string; readonly value: string | boolean } | null
  readonly sub: string | null
}

const PATH =
  /^([A-Za-z$][\w$-]{0,99})(?:\[\s*([A-Za-z]\w{0,49})\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*\])?(?:\.([A-Za-z$][\w$-]{0,99}))?$/i

/** Parses `name.givenName`, `emails[type eq "work"].value` or `urn:...:User:userName`. */
export function parsePath(path: string, schema: string): AttributePath {
  const found = path.length <= PATH_MAX_LENGTH ? PATH.exec(withoutSchema(path.trim(), schema)) : null
  if (!found) throw invalidPath(path)
  const [, attribute = '', key, value, sub] = found
  return {
    attribute: attribute.toLowerCase(),
    where:
      key === undefined || value === undefined
        ? null
        : { sub: key.toLowerCase(), value: literal(value, path) },
    sub: sub?.toLowerCase() ?? null,
  }
}

function literal(value: string, path: string): string | boolean {
  if (!value.startsWith('"')) return value.toLowerCase() === 'true'
  try {
    return String(JSON.parse(value))
  } catch {
    throw invalidPath(path)
  }
}

export const invalidPath = (path: string) =>
  badRequest(
    'invalidPath',
    `The path ${JSON.stringify(path.slice(0, 100))} is not supported. GET /scim/v2/Schemas lists the attributes.`,
  )
