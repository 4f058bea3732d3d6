import { PAGE_MAX } from './limits.ts'
import { type Condition, parseFilter } from './parse-filter.ts'
import { LIST_SCHEMA } from './schema-uris.ts'
import { badRequest } from './scim-refused.ts'

/** The parameters of a request, of which each may be given once. */
export type ScimQuery = ReadonlyMap<string, string>

export interface ListQuery {
  readonly conditions: readonly Condition[]
  readonly offset: number
  readonly limit: number
}

/** Reads filter, startIndex and count (RFC 7644, section 3.4.2). Pages have at most 200 resources. */
export function readListQuery(query: ScimQuery, isAttribute: (condition: Condition) => boolean): ListQuery {
  const filter = query.get('filter')
  const conditions = filter === undefined ? [] : parseFilter(filter)
  const unknown = conditions.find((condition) => !isAttribute(condition))
  if (unknown)
    throw badRequest('invalidFilter', `The filter cannot compare ${unknown.attribute.slice(0, 100)}.`)
  return {
    conditions,
    offset: Math.max(1, readNumber(query, 'startIndex', 1)) - 1,
    limit: Math.min(PAGE_MAX, Math.max(0, readNumber(query, 'count', PAGE_MAX))),
  }
}

const NUMBER_MAX = 2_147_483_647

function readNumber(query: ScimQuery, name: string, usual: number): number {
  const text = query.get(name.toLowerCase())
  if (text === undefined || text === '') return usual
  if (!/^[+-]?\d{1,12}$/.test(text)) throw badRequest('invalidValue', `${name} is a whole number.`)
  return Math.min(Number(text), NUMBER_MAX)
}

/** Builds the response to a list. */
export const listResponse = (
  resources: readonly object[],
  { offset, total }: { total: number; offset: number },
) => ({
  schemas: [LIST_SCHEMA],
  totalResults: total,
  startIndex: offset + 1,
  itemsPerPage: resources.length,
  Resources: resources,
})
