import type { Invariant } from '@burgee/contract'
import { isObject } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'

const DEMANDS = ['never', 'only', 'shape', 'at_most', 'implies'] as const

/** The part of an invariant that states which users it is about, and what they get. */
export type Demand = Pick<Invariant, 'when' | (typeof DEMANDS)[number]>

/** The first text of the form for a new invariant. */
export const FIRST_DEMAND: Demand = {
  when: [{ attribute: 'plan', operator: 'not_equals', values: ['enterprise'] }],
  never: [true],
}

/** The kinds of demands, as a form offers them. */
export const DEMAND_KINDS = [
  { value: 'never', label: 'Users never get' },
  { value: 'only', label: 'Users only get' },
  { value: 'at_most', label: 'At most a share of users gets' },
  { value: 'implies', label: 'A value requires a value of another flag' },
  { value: 'shape', label: 'The flag itself has' },
] as const

export type DemandKind = (typeof DEMANDS)[number]

export const isDemandKind = (name: string | null): name is DemandKind => DEMANDS.some((one) => one === name)

export const kindOf = (demand: Demand): DemandKind =>
  DEMANDS.find((name) => demand[name] !== undefined) ?? 'never'

const FIRST_PERCENT = 5

/** Returns a demand of another kind on the same users. `value` is where its values begin. */
export function changeKind(demand: Demand, kind: DemandKind, value: JsonValue): Demand {
  const { at_most, implies, never, only, shape: _, when } = demand
  const [first = at_most?.value ?? implies?.value ?? value] = never ?? only ?? []
  const users = when && { when }
  switch (kind) {
    case 'never':
      return { ...users, never: never ?? only ?? [first] }
    case 'only':
      return { ...users, only: only ?? never ?? [first] }
    case 'at_most':
      return { ...users, at_most: { percent: FIRST_PERCENT, value: first } }
    case 'implies':
      return { ...users, implies: { value: first, flag: '', is: true } }
    case 'shape':
      return { shape: { exists: true } }
  }
}

export function demandOf(invariant: Invariant): Demand {
  const { at_most, implies, never, only, shape, when } = invariant
  return Object.fromEntries(
    Object.entries({ when, never, only, shape, at_most, implies }).filter(([, value]) => value !== undefined),
  )
}

/** Returns the problem of a demand that was typed, or null. The server validates the details. */
export function findDemandProblem(value: JsonValue): string | null {
  if (!isObject(value)) return 'A demand is an object in braces.'
  const unknown = Object.keys(value).find((name) => name !== 'when' && !isDemand(name))
  if (unknown !== undefined) return `A demand has no field ${unknown}.`
  const count = DEMANDS.filter((name) => value[name] !== undefined).length
  return count === 1 ? null : `A demand needs exactly one of ${DEMANDS.join(', ')}.`
}

const isDemand = (name: string): boolean => DEMANDS.some((demand) => demand === name)

/** Describes a demand in a line: `never true where plan not_equals enterprise`. */
export function describeDemand(demand: Demand): string {
  const conditions = (demand.when ?? []).map(({ attribute, operator, values }) =>
    [attribute, operator, values.map(String).join(', ')].filter((part) => part !== '').join(' '),
  )
  return [
    ...demandParts(demand),
    ...(conditions.length > 0 ? [`where ${conditions.join(' and ')}`] : []),
  ].join(' ')
}

function demandParts({ at_most, implies, never, only, shape }: Demand): string[] {
  if (never) return [`never ${never.map(show).join(', ')}`]
  if (only) return [`only ${only.map(show).join(', ')}`]
  if (at_most) return [`${show(at_most.value)} for at most ${at_most.percent}%`]
  if (implies) return [`${show(implies.value)} only with ${implies.flag} = ${show(implies.is)}`]
  return Object.entries(shape ?? {}).map(([name, value]) => `${name} = ${show(value)}`)
}

const show = (value: unknown): string => JSON.stringify(value)
