import { FLAG_TYPES, type FlagType } from '@burgee/evaluation'

/** The filters of the list. `null` filters nothing. */
export interface FlagFilters {
  /** Words that must all occur in key, description, tags or owner. */
  readonly q: string
  /** The flag has all of these. */
  readonly tags: readonly string[]
  readonly owner: string | null
  readonly state: 'on' | 'off' | null
  readonly type: FlagType | null
  readonly archived: 'active' | 'archived' | 'all'
  /** True: only flags with a star of the person. */
  readonly starred: boolean
}

/** The same in the address. Each field has the value that it has when the address leaves it out. */
export const FILTER_DEFAULTS = {
  q: '',
  tags: '',
  owner: '',
  state: '',
  type: '',
  archived: 'active',
  starred: '',
}
export type FilterFields = Readonly<Record<keyof typeof FILTER_DEFAULTS, string>>

/** Reads the filters of the address, which may hold anything: values that do not fit are ignored. */
export const readFilters = (fields: FilterFields): FlagFilters => ({
  q: fields.q,
  tags: readTags(fields.tags),
  owner: fields.owner || null,
  state: fields.state === 'on' || fields.state === 'off' ? fields.state : null,
  type: FLAG_TYPES.find((type) => type === fields.type) ?? null,
  archived: fields.archived === 'archived' || fields.archived === 'all' ? fields.archived : 'active',
  starred: fields.starred === 'yes',
})

/** Tags are any text, so the comma between them is escaped in them. */
export const writeTags = (tags: readonly string[]): string =>
  tags.map((tag) => tag.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',')

const readTags = (text: string): string[] =>
  text
    .split(',')
    .filter((tag) => tag !== '')
    .map((tag) => tag.replaceAll('%2C', ',').replaceAll('%25', '%'))

/** The number of filters that are set beside the search. */
export function countFilters({ tags, owner, starred, state, type, archived }: FlagFilters): number {
  const areSet = [
    tags.length > 0,
    owner !== null,
    state !== null,
    type !== null,
    archived !== 'active',
    starred,
  ]
  return areSet.filter(Boolean).length
}
