import type { FlagCell, FlagRow } from './flag-rows.ts'
import { type EnvironmentPlan, leaveOut } from './import-plan.ts'

/** The flags that a person has left out: keys by the id of the environment. */
export type LeftOut = ReadonlyMap<string, ReadonlySet<string>>

/** Returns the plans without what is left out. */
export const applyChoice = (plans: readonly EnvironmentPlan[], left: LeftOut): EnvironmentPlan[] =>
  plans.map((plan) => leaveOut(plan, [...(left.get(plan.target.id) ?? [])]))

/** Returns the choice with these flags left out, or taken back in. */
export function toggleFlags(left: LeftOut, flags: readonly FlagInPlace[], isLeftOut: boolean): LeftOut {
  const next = new Map([...left].map(([id, keys]) => [id, new Set(keys)]))
  for (const { key, target } of flags) {
    const keys = next.get(target.id) ?? new Set()
    if (isLeftOut) keys.add(key)
    else keys.delete(key)
    next.set(target.id, keys)
  }
  return next
}

/** One flag in one environment. */
export interface FlagInPlace extends Pick<FlagCell, 'target'> {
  readonly key: string
}

export const isLeftOut = (left: LeftOut, { key, target }: FlagInPlace): boolean =>
  left.get(target.id)?.has(key) === true

/** Returns the flags of these rows that are imported, or that a person has left out. */
export function findFlags(
  rows: readonly FlagRow[],
  left: LeftOut,
  { isLeftOut: wanted }: { readonly isLeftOut: boolean },
): FlagInPlace[] {
  const flags = rows.flatMap(({ cells, key }) =>
    cells.map(({ outcome, target }) => ({ key, outcome, target })),
  )
  return flags.filter((flag) => (wanted ? isLeftOut(left, flag) : flag.outcome !== 'left_out'))
}
