import { isObject, objectOf } from '../../reading.ts'
import { type ReadSystem, UnreadableFile } from '../../system.ts'
import { flagOf } from './goff-flag.ts'

/** The environment of a file that does not name one. */
const UNNAMED = 'production'

/** Reads flag files of GO Feature Flag. Several files are one environment. */
export const readGoFeatureFlag: ReadSystem = (files, { environment = UNNAMED, nowMs }) => {
  const flags = files.flatMap(({ data }) =>
    Object.entries(objectOf(data)).flatMap(([key, flag]) =>
      isObject(flag) && isObject(flag.variations) ? [flagOf(key, flag, { nowMs })] : [],
    ),
  )
  if (flags.length === 0)
    throw new UnreadableFile(
      'There are no flags in these files. A flag of GO Feature Flag has variations and a defaultRule.',
    )
  return { environments: [{ environment, flags, segments: [] }], notes: [] }
}
