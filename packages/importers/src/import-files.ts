import type { ImportSystem } from '@burgee/contract'
import { finishEnvironment, type ImportedEnvironment } from './finish-environment.ts'
import { noteMissing } from './recognition/find-missing.ts'
import { renameAttributes } from './rename-attributes.ts'
import type { ImportReport, Note } from './report.ts'
import type { ReadOptions, ReadSystem, SourceFile } from './system.ts'
import { readConfigCat } from './systems/configcat/read-configcat.ts'
import { readFlagd } from './systems/flagd/read-flagd.ts'
import { readFlagsmith } from './systems/flagsmith/read-flagsmith.ts'
import { readGoFeatureFlag } from './systems/goff/read-goff.ts'
import { readGrowthBook } from './systems/growthbook/read-growthbook.ts'
import { readLaunchDarkly } from './systems/launchdarkly/read-launchdarkly.ts'
import { readUnleash } from './systems/unleash/read-unleash.ts'
import { collectUnsafeNumbers } from './unsafe-numbers.ts'

const READERS = {
  launchdarkly: readLaunchDarkly,
  unleash: readUnleash,
  flagd: readFlagd,
  growthbook: readGrowthBook,
  flagsmith: readFlagsmith,
  goff: readGoFeatureFlag,
  configcat: readConfigCat,
} as const satisfies Readonly<Record<ImportSystem, ReadSystem>>

export interface ImportOptions extends Partial<ReadOptions> {
  /** Attributes of users that have another name in Burgee, from old to new. */
  readonly attributes?: ReadonlyMap<string, string>
  /** True to read a page of several as it is, with a note. */
  readonly isPartial?: boolean
}

export interface ImportResult {
  readonly environments: readonly ImportedEnvironment[]
  readonly report: ImportReport
  /** The keys of flags that changed, from old to new, for the SDK. */
  readonly aliases: Readonly<Record<string, string>>
}

/**
 * Translates files of another service (docs/import.md). Throws `UnreadableFile` when they are something else;
 * what cannot be translated is in the report.
 */
export function importFiles(
  system: ImportSystem,
  files: readonly SourceFile[],
  { attributes = new Map(), isPartial = false, nowMs = Date.now(), ...options }: ImportOptions = {},
): ImportResult {
  const { environments, notes } = READERS[system](files, { ...options, nowMs })
  const missing = noteMissing(system, files, isPartial)
  const unsafe = collectUnsafeNumbers(files)
  const finished = environments.map((draft) => finishEnvironment(renameAttributes(draft, attributes), unsafe))
  return {
    environments: finished.map(({ imported }) => imported),
    report: {
      system,
      flags: finished.flatMap(({ reports }) => reports),
      notes: [...missing, ...files.flatMap(repeatedIn), ...notes, ...finished.flatMap((one) => one.notes)],
    },
    aliases: Object.fromEntries(finished.flatMap((one) => [...one.aliases])),
  }
}

const repeatedIn = ({ name, repeated = [] }: SourceFile): readonly Note[] =>
  repeated.map((path) => ({
    ...{ code: 'listed_twice', path },
    message: `${name} has this key twice in one object. The last one is imported.`,
  }))
