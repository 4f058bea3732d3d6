import type { Environment } from '@burgee/contract'
import { isProduction } from '../../../shared/scope/is-production.ts'

export interface EnvironmentGroup {
  /** Empty for environments that have nothing in common. */
  readonly name: string
  readonly environments: readonly Environment[]
}

/** With fewer environments a list has no groups. */
const GROUPED_FROM = 9
/** The first word of a name: "eu" of "eu-west 2". */
const PREFIX = /^[^\s\-_/.:]+(?=[\s\-_/.:])/u

/** Puts environments in the person's own order. Those that it does not name follow as they were. */
export function orderEnvironments(
  environments: readonly Environment[],
  order: readonly string[],
): readonly Environment[] {
  if (order.length === 0) return environments
  const places = new Map(order.map((id, place) => [id, place]))
  const placeOf = ({ id }: Environment) => places.get(id) ?? order.length
  return [...environments].sort((a, b) => placeOf(a) - placeOf(b))
}

/**
 * Divides many environments into groups: those of production first, then those whose names begin with the
 * same word, then the rest. A few, and those in an order of the person's own, are one group.
 */
export function groupEnvironments(
  environments: readonly Environment[],
  order: readonly string[],
): readonly EnvironmentGroup[] {
  const ordered = orderEnvironments(environments, order)
  if (order.length > 0 || ordered.length < GROUPED_FROM) return [{ name: '', environments: ordered }]
  const counts = new Map<string, number>()
  const prefixOf = ({ name }: Environment) => PREFIX.exec(name)?.[0].toLowerCase() ?? ''
  for (const each of ordered) counts.set(prefixOf(each), (counts.get(prefixOf(each)) ?? 0) + 1)
  const nameOf = (each: Environment): string => {
    if (isProduction(each)) return 'Production'
    const prefix = prefixOf(each)
    return prefix !== '' && (counts.get(prefix) ?? 0) > 1 ? prefix : ''
  }
  const groups = new Map<string, Environment[]>([['Production', []]])
  for (const each of ordered) {
    if (nameOf(each) !== '') groups.set(nameOf(each), [...(groups.get(nameOf(each)) ?? []), each])
  }
  groups.set(
    '',
    ordered.filter((each) => nameOf(each) === ''),
  )
  return [...groups]
    .map(([name, members]) => ({ name, environments: members }))
    .filter((group) => group.environments.length > 0)
}
