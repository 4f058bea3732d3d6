import { SAVED_FILTER_QUERY_MAX_LENGTH } from '@burgee/contract'
import { FILTER_DEFAULTS, type FilterFields } from '../flag-filters.ts'

const DEFAULTS = { ...FILTER_DEFAULTS, sort: 'key' }
type ListFields = FilterFields & { readonly sort: string }

const FIELDS = ['q', 'tags', 'owner', 'state', 'type', 'archived', 'starred', 'sort'] as const

/**
 * Returns the filters and the order of the list as a query, without what is usual. Empty where nothing
 * narrows the list, or where the filters are too long to be stored.
 */
export function writeQuery(fields: ListFields): string {
  const set = FIELDS.filter((name) => fields[name] !== DEFAULTS[name])
  if (set.every((name) => name === 'sort')) return ''
  const text = new URLSearchParams(set.map((name) => [name, fields[name]])).toString()
  return text.length > SAVED_FILTER_QUERY_MAX_LENGTH ? '' : text
}

/** Returns the fields of a stored query, with the usual value of those that it does not name. */
export function readQuery(query: string): ListFields {
  const stored = new URLSearchParams(query)
  const fields = FIELDS.map((name) => [name, stored.get(name) ?? DEFAULTS[name]])
  return Object.fromEntries(fields) as ListFields // Each field has a text.
}
