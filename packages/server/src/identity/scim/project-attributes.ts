import type { ScimQuery } from './list-query.ts'
import { GROUP_SCHEMA, USER_SCHEMA, withoutSchema } from './schema-uris.ts'

/** The attributes that a response has: `attributes` and `excludedAttributes` of RFC 7644, section 3.9. */
export interface Projection {
  has(attribute: string): boolean
}

/** Always returned (RFC 7643, section 7). */
const ALWAYS = ['schemas', 'id']

/** Reads which attributes a request wants. A sub-attribute stands for its whole attribute. */
export function readProjection(query: ScimQuery): Projection {
  const wanted = namesIn(query.get('attributes'))
  const unwanted = namesIn(query.get('excludedattributes'))
  return {
    has(attribute) {
      const name = attribute.toLowerCase()
      if (ALWAYS.includes(name)) return true
      return wanted.size > 0 ? wanted.has(name) : !unwanted.has(name)
    },
  }
}

function namesIn(list = ''): ReadonlySet<string> {
  const names = list
    .split(',')
    .map((name) => withoutSchema(withoutSchema(name.trim(), USER_SCHEMA), GROUP_SCHEMA))
  return new Set(names.flatMap((name) => (name === '' ? [] : [name.toLowerCase().split('.')[0] ?? ''])))
}

/** Returns the resource with the wanted attributes. */
export const project = (resource: object, projection: Projection): object =>
  Object.fromEntries(Object.entries(resource).filter(([name]) => projection.has(name)))
