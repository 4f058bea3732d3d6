import type { ImportResult, ImportSystem } from '@burgee/contract'
import type { RowFilter } from './flag-rows.ts'
import type { ChosenFile } from './import-files.ts'
import type { LeftOut } from './left-out.ts'
import type { Mapping } from './map-environments.ts'

/** The choices of a person. They stay while one goes back and forth between the steps. */
export interface ImportDraft {
  readonly files: readonly ChosenFile[]
  /** The names of attributes, as they are typed. */
  readonly names: string
  /** True to import pages of a longer list as they are. */
  readonly isPartial: boolean
  readonly mapping: Mapping
  readonly left: LeftOut
  readonly filter: RowFilter
  /** The reason for overriding invariants; undefined while they are respected. */
  readonly overrideReason: string | undefined
}

const NO_FILTER: RowFilter = { q: '', class: '', outcome: '' }

/** The choices that belong to the content of the files: other files start without them. */
export const NO_CHOICES = {
  mapping: new Map(),
  left: new Map(),
  filter: NO_FILTER,
  overrideReason: undefined,
} satisfies Partial<ImportDraft>

export const EMPTY_DRAFT: ImportDraft = { files: [], names: '', isPartial: false, ...NO_CHOICES }

/** The translated files, with what they were translated from. */
export interface Translation {
  readonly system: ImportSystem
  readonly files: readonly ChosenFile[]
  readonly attributes: Readonly<Record<string, string>>
  readonly isPartial: boolean
  readonly result: ImportResult
}

type Source = Omit<Translation, 'result'>

/** Returns whether both are the same files of the same service: choices about their flags still fit. */
export const isSameContent = (one: Source, other: Source): boolean =>
  one.system === other.system &&
  one.files.length === other.files.length &&
  one.files.every(({ content, name }, index) => {
    const file = other.files[index]
    return file?.name === name && file.content === content
  })

/** Returns whether a translation of both gives the same flags. */
export function isSameSource(one: Source, other: Source): boolean {
  const names = Object.entries(one.attributes)
  return (
    isSameContent(one, other) &&
    one.isPartial === other.isPartial &&
    names.length === Object.keys(other.attributes).length &&
    names.every(([from, to]) => other.attributes[from] === to)
  )
}
