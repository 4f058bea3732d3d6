import { type ImportSystem, isObject } from '@burgee/contract'
import { countOf } from '../../shared/ui/count-of.ts'
import type { ChosenFile } from './import-files.ts'

/** The flags of a parsed file: a list, or an object by key. */
const FLAGS_OF: Readonly<Record<ImportSystem, (file: Readonly<Record<string, unknown>>) => unknown>> = {
  // Segments are in a file of the same form, and have no variations.
  launchdarkly: ({ flags, items }) =>
    Array.isArray(items) ? items.filter((item) => isObject(item) && 'variations' in item) : flags,
  unleash: ({ features }) => features,
  flagd: ({ flags }) => flags,
  growthbook: ({ features }) => features,
  flagsmith: ({ feature_states }) => feature_states,
  goff: (file) => file,
  configcat: ({ f }) => f,
}

/** Returns the number of flags in these files, or null where only the server can count them. */
function countFlags(system: ImportSystem, files: readonly ChosenFile[]): number | null {
  const objects = files.map(({ content }) => parse(content)).filter(isObject)
  if (objects.length < files.length) return null
  const count = objects
    .map(FLAGS_OF[system])
    .map((flags) => (Array.isArray(flags) ? flags.length : isObject(flags) ? Object.keys(flags).length : 0))
    .reduce((sum, one) => sum + one, 0)
  return count === 0 ? null : count
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

/** Describes a translation that is under way: `Translating 9 flags`. */
export function describeTranslation(system: ImportSystem, files: readonly ChosenFile[]): string {
  const count = countFlags(system, files)
  if (count !== null) return `Translating ${countOf(count, 'flag')}`
  return `Translating the flags of ${countOf(files.length, 'file')}`
}
