import type { Flag, ListedFlag } from '@burgee/contract'
import { deepEqual } from '@burgee/evaluation'

/** The result of comparing a flag of one environment with the same flag of the source environment. */
export type Drift =
  | { readonly kind: 'same' }
  /** With the names of the fields that differ. */
  | { readonly kind: 'different'; readonly fields: readonly string[] }
  /** Only the other environment has it. */
  | { readonly kind: 'missing' }
  /** The other environment lacks it. */
  | { readonly kind: 'extra' }
  /** Neither has it. */
  | { readonly kind: 'none' }

/** One flag over all environments. */
export interface DriftRow {
  readonly key: string
  /** By environment; an environment that lacks the flag is left out. */
  readonly flags: ReadonlyMap<string, Flag>
  /** By environment; the one that is compared with is left out. */
  readonly drifts: ReadonlyMap<string, Drift>
  /** Somewhere it is not as in the source. */
  readonly hasDrift: boolean
}

/** Every flag of any environment, by key, compared with how the source has it. */
export function driftRows(
  flagsByEnvironment: ReadonlyMap<string, readonly Flag[]>,
  sourceId: string,
): DriftRow[] {
  const flagsByKey = new Map<string, Map<string, Flag>>()
  for (const [environment_id, flags] of flagsByEnvironment) {
    for (const flag of flags) {
      const known = flagsByKey.get(flag.key)
      if (known) known.set(environment_id, flag)
      else flagsByKey.set(flag.key, new Map([[environment_id, flag]]))
    }
  }
  const others = [...flagsByEnvironment.keys()].filter((id) => id !== sourceId)
  return [...flagsByKey]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, flags]) => {
      const source = flags.get(sourceId)
      const drifts = new Map(others.map((id) => [id, driftBetween(source, flags.get(id))]))
      const hasDrift = [...drifts.values()].some(({ kind }) => kind !== 'same' && kind !== 'none')
      return { key, flags, drifts, hasDrift }
    })
}

/**
 * The same result as `compareFlags` of the API. Everything but the revision, times and authors counts. For an
 * archived flag, the fact counts and the time does not.
 */
export function driftBetween(source: Flag | undefined, target: Flag | undefined): Drift {
  if (!source) return { kind: target ? 'extra' : 'none' }
  if (!target) return { kind: 'missing' }
  const [one, other] = [content(source), content(target)]
  const fields = Object.keys(one).filter(
    (name) => !deepEqual(one[name as keyof Content], other[name as keyof Content]),
  )
  return fields.length === 0 ? { kind: 'same' } : { kind: 'different', fields }
}

type Content = ReturnType<typeof content>

/** Lists of flags have the times of each flag, and who changed it. */
function content({
  revision: _r,
  archived_at,
  created_at: _c,
  updated_at: _u,
  updated_by: _b,
  ...rest
}: Flag & Partial<ListedFlag>) {
  return { ...rest, archived: archived_at !== null }
}
