import type {
  AppliedChange,
  ApplyPart,
  Environment,
  FlagInput,
  ImportResult,
  ListedFlag,
  SegmentInput,
} from '@burgee/contract'

export type ImportedEnvironment = ImportResult['environments'][number]
/** Flags and segments for one call. */
export type ImportPart = ApplyPart<SegmentInput, FlagInput>

/** The changes that an import would make in one environment, from a dry run of `apply`. */
export interface EnvironmentPlan {
  /** The environment of the files. */
  readonly source: string
  readonly target: Environment
  /** The flags that are written. */
  readonly imported: ImportedEnvironment
  readonly changes: readonly AppliedChange[]
  /** The reason for each flag that is left out, by key. */
  readonly refused: ReadonlyMap<string, string>
  /** The flags that are left out because of an invariant. */
  readonly violating: ReadonlySet<string>
  /** The invariants that are overridden, in words, with the reason; null where none is. */
  readonly override: { readonly reason: string; readonly violations: readonly string[] } | null
  /** The flags of the target as they are, by key. */
  readonly present: ReadonlyMap<string, ListedFlag>
}

/** The number of things that a plan does to flags and segments. */
export interface PlanCounts {
  readonly created: number
  readonly changed: number
  readonly waiting: number
  readonly unchanged: number
  readonly refused: number
  readonly segments: number
}

export function countPlan({ changes, imported, refused }: EnvironmentPlan): PlanCounts {
  const flags = changes.filter(({ resource }) => resource === 'flag')
  const direct = flags.filter(({ needs_approval }) => needs_approval !== true)
  const created = direct.filter(({ action }) => action === 'create').length
  return {
    created,
    changed: direct.length - created,
    waiting: flags.length - direct.length,
    unchanged: imported.flags.length - flags.length,
    refused: refused.size,
    segments: changes.length - flags.length,
  }
}

/**
 * Adds to the flags that are left out those that need one of them, and so on: without it they would give
 * everyone the disabled value.
 */
export function withDependents(
  flags: readonly FlagInput[],
  refused: ReadonlyMap<string, string>,
): Map<string, string> {
  const all = new Map(refused)
  for (let size = -1; size < all.size; ) {
    size = all.size
    for (const { key, prerequisites } of flags) {
      const needed = (prerequisites ?? []).find(({ flag_key }) => flag_key !== key && all.has(flag_key))
      if (needed && !all.has(key)) all.set(key, `It needs ${needed.flag_key}, which is left out.`)
    }
  }
  return all
}

/** Returns the plan without these flags, and without those that need them. */
export function leaveOut(plan: EnvironmentPlan, keys: readonly string[]): EnvironmentPlan {
  const { changes, imported } = plan
  const wanted = new Set(keys)
  const chosen = imported.flags.flatMap(({ key }): [string, string][] =>
    wanted.has(key) ? [[key, LEFT_OUT]] : [],
  )
  if (chosen.length === 0) return plan
  const refused = withDependents(imported.flags, new Map([...plan.refused, ...chosen]))
  const isKept = ({ key }: { readonly key: string }) => !refused.has(key)
  return {
    ...plan,
    refused,
    imported: { ...imported, flags: imported.flags.filter(isKept) },
    changes: changes.filter((change) => change.resource === 'segment' || isKept(change)),
  }
}

const LEFT_OUT = 'You have left it out.'

/** Returns the reasons against flags that a name of `apply` manages: an import does not take them over. */
export const refuseManaged = (
  flags: readonly FlagInput[],
  present: ReadonlyMap<string, ListedFlag>,
): Map<string, string> =>
  new Map(
    flags.flatMap(({ key }): [string, string][] => {
      const name = present.get(key)?.managed_by
      return name === undefined ? [] : [[key, `It exists, and “${name}” manages it. Change it there.`]]
    }),
  )
