import type { FlagSet } from '@burgee/evaluation'
import type { ImportedEnvironment } from '../finish-environment.ts'
import type { ImportResult } from '../import-files.ts'
import { drawUsers } from './draw-users.ts'
import type { Engine, EngineInput, EngineKind, EngineUser } from './engine.ts'
import { poolsFor, type UserPools } from './user-pools.ts'

export interface VerifyInput extends Pick<EngineInput, 'files' | 'wanted' | 'load'> {
  readonly engine: EngineKind
  /** An import without new names of attributes. */
  readonly imported: ImportResult
  /** The number of users for each environment. */
  readonly count: number
  /** The users are drawn from these values; without them, from those that the rules name. */
  readonly pools?: UserPools
  readonly compile: (environment: ImportedEnvironment) => FlagSet
  readonly onProgress?: (done: number, total: number) => void
}

/** The comparisons of an import. */
export interface Verification {
  readonly flags: readonly VerifiedFlag[]
  /**
   * The exact flags that the engine does not evaluate as Burgee should: archived ones, those of files that it
   * cannot read, and those for which engines of the service differ.
   */
  readonly notCompared: readonly Pick<VerifiedFlag, 'key' | 'environment'>[]
}

/** The comparison of one flag. */
export interface VerifiedFlag {
  readonly key: string
  readonly environment: string
  readonly compared: number
  readonly differences: number
  /** The first user for whom they differ. */
  readonly example?: EngineUser & { readonly theirs: unknown; readonly ours: unknown }
}

/** Users between two reports of progress, each of which lets other work run. */
const STEP = 100

/** Evaluates the `exact` flags with the other service's engine and with Burgee, for the same users. */
export async function verifyImport(input: VerifyInput): Promise<Verification> {
  const flags: VerifiedFlag[] = []
  const notCompared: Pick<VerifiedFlag, 'key' | 'environment'>[] = []
  for (const environment of input.imported.environments) {
    const { files, load, wanted } = input
    const exact = exactFlags(input, environment)
    const engine = await input.engine.start({ files, load, wanted, environment: environment.environment })
    try {
      const compared = exact.filter(({ isComparable, key }) => isComparable && engine.has(key))
      const { environment: name } = environment
      for (const flag of exact)
        if (!compared.includes(flag)) notCompared.push({ key: flag.key, environment: name })
      if (compared.length > 0) flags.push(...(await compareFlags(input, environment, { engine, compared })))
    } finally {
      engine.close()
    }
  }
  return { flags, notCompared }
}

interface ExactFlag {
  /** The keys in the other service and in Burgee. */
  readonly key: string
  readonly own: string
  /** SDKs receive no archived flag, and engines of one service may differ. */
  readonly isComparable: boolean
}

function exactFlags(
  { engine: { agrees }, imported: { aliases, report } }: VerifyInput,
  { environment, flags }: ImportedEnvironment,
): readonly ExactFlag[] {
  const names = new Map(Object.entries(aliases))
  const archived = new Set(flags.filter(({ archived_at }) => archived_at).map(({ key }) => key))
  return report.flags
    .filter((flag) => flag.class === 'exact' && flag.environment === environment)
    .map((flag) => {
      const own = names.get(flag.key) ?? flag.key
      const isComparable = !archived.has(own) && agrees?.(flag) !== false
      return { key: flag.key, own, isComparable }
    })
}

interface Comparison {
  readonly engine: Engine
  readonly compared: readonly ExactFlag[]
}

async function compareFlags(
  { compile, count, files, onProgress, pools }: VerifyInput,
  environment: ImportedEnvironment,
  { compared, engine }: Comparison,
): Promise<VerifiedFlag[]> {
  const found = new Map<string, Omit<VerifiedFlag, 'compared'>>()
  const set = compile(environment)
  const sources = files.map(({ data }) => data)
  let done = 0
  for (const drawn of drawUsers(count, pools ?? poolsFor(environment, sources))) {
    const user = engine.adapt?.(drawn) ?? drawn
    for (const { key, own } of compared) {
      const result = set.evaluate(own, { userKey: user.key, attributes: user.attributes })
      const { ours, theirs } = await engine.ask(key, user, result)
      if (JSON.stringify(ours) === JSON.stringify(theirs)) continue
      const first = found.get(key) ?? {
        ...{ key, environment: environment.environment, differences: 0 },
        example: { ...user, theirs, ours },
      }
      found.set(key, { ...first, differences: first.differences + 1 })
    }
    done += 1
    if (done % STEP === 0) onProgress?.(done, count)
  }
  return compared.map(({ key }) => {
    const nothing = { key, environment: environment.environment, differences: 0 }
    return { ...nothing, ...found.get(key), compared: count }
  })
}
