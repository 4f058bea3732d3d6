import { generateType, TYPES_WRAP } from '@burgee/contract'
import { toEntry } from './manifest-flag.ts'
import type { FlagsText } from './write-flags.ts'

/** Returns the types of flags. An expired flag is one that has expired at `now`, in ISO 8601. */
export const typesText = (options: { readonly now: string; readonly strict: boolean }): FlagsText => ({
  name: 'The types',
  advice: 'Use `burgee generate`, which reads the flags in pages, or archive flags and add `?strict=true`.',
  wrap: TYPES_WRAP,
  separator: '',
  partOf: (flag) => generateType(flag, options),
})

/** The manifest of the flags that are not archived. */
export const MANIFEST_TEXT: FlagsText = {
  name: 'The flags of the manifest',
  advice: 'Use `burgee generate`, which reads the flags in pages, or make `disabled_value` smaller.',
  wrap: { before: '{"flags":[', after: ']}' },
  separator: ',',
  partOf: (flag) => (flag.archived_at === null ? JSON.stringify(toEntry(flag)) : null),
}
