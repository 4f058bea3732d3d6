import { isObject, objectOf } from '../../reading.ts'
import { recognizeFiles } from '../../recognition/recognize-files.ts'
import { MALFORMED, skippedFlag } from '../../skipped-flag.ts'
import type { ReadSystem } from '../../system.ts'
import { flagOf } from './goff-flag.ts'

/** The environment of a file that does not name one. */
const UNNAMED = 'production'

/** Reads flag files of GO Feature Flag. Several files are one environment. */
export const readGoFeatureFlag: ReadSystem = (files, { environment = UNNAMED, nowMs }) => {
  const flags = recognizeFiles('goff', files).flatMap(({ data }) =>
    Object.entries(objectOf(data)).map(([key, flag]) =>
      isObject(flag) && isObject(flag.variations)
        ? flagOf(key, flag, { nowMs })
        : skippedFlag(key, MALFORMED),
    ),
  )
  return { environments: [{ environment, flags, segments: [] }], notes: [] }
}
