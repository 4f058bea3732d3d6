import type { Invariant, InvariantInput, InvariantPatch } from '@burgee/contract'

/** The kinds of demands. An invariant has exactly one. */
export const DEMANDS = ['never', 'only', 'shape', 'at_most', 'implies'] as const

/** The flag, the users and the demand, as they are stored. */
export type StoredDemand = Pick<Invariant, 'flag' | 'when' | (typeof DEMANDS)[number]>

/** Returns whether an invariant is about the environment with this slug. */
export const covers = ({ environments }: Pick<Invariant, 'environments'>, slug: string): boolean =>
  environments === null || environments.includes(slug)

/** Returns the flags on which the demand is made. */
export const flagsOf = ({ flag, implies }: Invariant): string[] => [flag, ...(implies ? [implies.flag] : [])]

/** Joins the columns of a row. */
export function toInvariant({
  demand: { flag, when, ...demand },
  ...row
}: Omit<Invariant, keyof StoredDemand> & { readonly demand: StoredDemand }): Invariant {
  return { ...row, flag, ...(when && { when }), ...demand }
}

/** Returns a new invariant without the fields that it does not know. */
export function newInvariant(
  input: InvariantInput,
  { created_at, created_by }: { readonly created_by: string; readonly created_at: string },
): Invariant {
  const { description = null, enforcement = 'block', environments = null, key } = input
  return toInvariant({
    ...{ key, description, environments, enforcement, created_by, created_at },
    demand: demandOf(input),
  })
}

/** Returns an invariant with the fields of a patch. A demand of another kind replaces the stored one. */
export function patchInvariant(before: Invariant, patch: InvariantPatch): Invariant {
  const { created_at, created_by, key } = before
  const { description = before.description, environments = before.environments } = patch
  const { enforcement = before.enforcement } = patch
  const hasDemand = DEMANDS.some((name) => patch[name] !== undefined)
  const demand = hasDemand ? patch : before
  return toInvariant({
    ...{ key, description, environments, enforcement, created_by, created_at },
    demand: {
      ...demandOf({ ...demand, flag: patch.flag ?? before.flag }),
      ...whenOf(patch.when ?? before.when),
    },
  })
}

function demandOf(input: Omit<StoredDemand, 'when'> & Pick<InvariantInput, 'when'>): StoredDemand {
  const given = DEMANDS.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]] as const]))
  return { flag: input.flag, ...whenOf(input.when), ...Object.fromEntries(given) }
}

/** Returns the users of a demand as they are stored, with the values that some operators need not have. */
export const whenOf = (when: InvariantInput['when']): Pick<Invariant, 'when'> =>
  when && when.length > 0
    ? { when: when.map(({ attribute, operator, values = [] }) => ({ attribute, operator, values })) }
    : {}
