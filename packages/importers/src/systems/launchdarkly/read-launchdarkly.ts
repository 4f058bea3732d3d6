import type { ReadSystem } from '../../system.ts'
import { collectEnvironments } from './ld-files.ts'
import { flagOf } from './ld-flag.ts'
import { segmentOf } from './ld-segments.ts'

/** Reads responses of LaunchDarkly's REST API (flags, segments), or the data that its SDKs receive. */
export const readLaunchDarkly: ReadSystem = (files, { environment }) => {
  const translated = collectEnvironments(files, environment).map(({ environment, flags, segments }) => {
    const byKey = new Map(flags.map((flag) => [flag.key, flag]))
    const live = segments.filter(({ deleted }) => deleted !== true).map(segmentOf)
    return {
      draft: {
        environment,
        flags: flags.filter(({ state }) => state.deleted !== true).map((flag) => flagOf(flag, byKey)),
        segments: live.map(({ draft }) => draft),
      },
      notes: live.flatMap(({ notes }) => notes),
    }
  })
  return {
    environments: translated.map(({ draft }) => draft),
    notes: translated.flatMap(({ notes }) => notes),
  }
}
