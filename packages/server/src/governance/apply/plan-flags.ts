import { APPLY_FLAGS_MAX, type ApplyInput, type Flag } from '@burgee/contract'
import type { EnvironmentWrite } from '../../changes/index.ts'
import { invalid, type ProblemDetail, Refusal } from '../../kernel/refusal.ts'
import { inTurns } from '../../platform/concurrency/turns.ts'
import { countFlagBytes, findFlags, listManagedKeys } from '../../targeting/flags/index.ts'
import { type WantedFlag, wantedSteps } from './wanted-flag.ts'

/** The stored bytes of the flags that one apply reads. */
const FLAGS_READ_MAX_BYTES = 32 * 1024 * 1024

export interface PlannedFlag extends WantedFlag {
  /** The JSON pointer to the flag in the input; null for a flag that is archived because it is not there. */
  readonly path: string | null
}

export interface FlagsPlan {
  readonly planned: readonly PlannedFlag[]
  readonly problems: readonly ProblemDetail[]
  /** The flags that would change and that another name manages. */
  readonly elsewhere: readonly Flag[]
}

/** Computes the flags that an apply changes, with every problem. It stores nothing. */
export async function planFlags(write: EnvironmentWrite, input: ApplyInput): Promise<FlagsPlan> {
  const { flags = [], name } = input
  const listed = new Set(flags.map(({ key }) => key))
  const pruned = await listPruned(write, input, listed)
  const stored = await readFlags(write, [...listed, ...pruned])
  const planned: PlannedFlag[] = []
  const problems: ProblemDetail[] = []
  for (const [index, fields] of flags.entries()) {
    const path = `/flags/${index}`
    try {
      const before = stored.get(fields.key) ?? null
      const wanted = await inTurns(wantedSteps({ before, fields, name, moment: write }))
      if (wanted) planned.push({ ...wanted, path })
    } catch (error) {
      problems.push(...problemsOf(error, path))
    }
  }
  const elsewhere = planned.flatMap(({ before, path }) => {
    const owner = path === null ? undefined : ownerOf(input, path)
    return before?.managed_by !== undefined && before.managed_by !== owner ? [before] : []
  })
  for (const key of pruned) {
    const before = stored.get(key)
    if (!before) continue
    const after = { ...before, archived_at: write.now }
    const recorded = { action: 'archive', event: 'flag.updated' } as const
    planned.push({ before, after, operation: { operation: 'archive' }, recorded, path: null })
  }
  return { planned, problems, elsewhere }
}

/** Returns the problems of a refusal, below the path. Any other error is thrown again. */
export function problemsOf(error: unknown, path: string): ProblemDetail[] {
  if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
  const details = error.extras.details ?? [{ path: '', message: error.message }]
  return details.map((detail) => ({ ...detail, path: path + detail.path }))
}

const ownerOf = ({ flags = [], name }: ApplyInput, path: string): string | undefined => {
  const fields = flags[Number(path.slice('/flags/'.length))]
  return fields && 'managed_by' in fields ? (fields.managed_by ?? name) : name
}

async function listPruned(
  { environment, tx }: EnvironmentWrite,
  { name, prune }: ApplyInput,
  listed: ReadonlySet<string>,
): Promise<string[]> {
  if (prune !== true) return []
  if (name === undefined)
    throw invalid([{ path: '/prune', message: 'needs a name: it archives the flags that the name manages' }])
  const limit = APPLY_FLAGS_MAX + listed.size + 1
  const managed = await listManagedKeys(tx, environment.id, { name, limit })
  const pruned = managed.filter((key) => !listed.has(key))
  if (pruned.length > APPLY_FLAGS_MAX)
    throw invalid([
      { path: '/prune', message: `would archive more than ${APPLY_FLAGS_MAX} flags; archive some before` },
    ])
  return pruned
}

async function readFlags(
  { environment, tx }: EnvironmentWrite,
  keys: readonly string[],
): Promise<Map<string, Flag>> {
  if ((await countFlagBytes(tx, environment.id, keys)) > FLAGS_READ_MAX_BYTES)
    throw invalid([{ path: '/flags', message: 'are too large together; apply them in several parts' }])
  return new Map((await findFlags(tx, environment.id, keys)).map((flag) => [flag.key, flag]))
}
