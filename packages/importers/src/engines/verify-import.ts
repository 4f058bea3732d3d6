import type { FlagSet } from '@burgee/evaluation'
import type { ImportedEnvironment } from '../finish-environment.ts'
import type { ImportResult } from '../import-files.ts'
import { drawUsers, poolsFor, type UserPools } from './draw-users.ts'
import type { Engine, EngineInput, EngineKind, EngineUser } from './engine.ts'

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
export async function verifyImport(input: VerifyInput): Promise<VerifiedFlag[]> {
  const verified: VerifiedFlag[] = []
  for (const environment of input.imported.environments) {
    const { files, load, wanted } = input
    const engine = await input.engine.start({ files, load, wanted, environment: environment.environment })
    try {
      verified.push(...(await verifyEnvironment(input, environment, engine)))
    } finally {
      engine.close()
    }
  }
  return verified
}

async function verifyEnvironment(
  { compile, count, files, imported, onProgress, pools }: VerifyInput,
  environment: ImportedEnvironment,
  engine: Engine,
): Promise<VerifiedFlag[]> {
  const flags = imported.report.flags
    .filter((flag) => flag.class === 'exact' && flag.environment === environment.environment)
    .filter(({ key }) => engine.has(key))
    .map(({ key }) => ({ key, own: imported.aliases[key] ?? key }))
  const found = new Map<string, Omit<VerifiedFlag, 'compared'>>()
  const set = compile(environment)
  const sources = files.map(({ data }) => data)
  let done = 0
  for (const drawn of drawUsers(count, pools ?? poolsFor(environment, sources))) {
    const user = engine.adapt?.(drawn) ?? drawn
    for (const { key, own } of flags) {
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
  return flags.map(({ key }) => {
    const nothing = { key, environment: environment.environment, differences: 0 }
    return { ...nothing, ...found.get(key), compared: count }
  })
}
