import type { Environment } from '@burgee/contract'
import { isProduction } from '../../../shared/scope/is-production.ts'

/** Production and the open environment come first where there are many; few keep the order of the project. */
const FEW = 6

export function orderForStrip(environments: readonly Environment[], openId: string): readonly Environment[] {
  if (environments.length <= FEW) return environments
  const isFirst = (environment: Environment) => environment.id === openId || isProduction(environment)
  return [...environments.filter(isFirst), ...environments.filter((environment) => !isFirst(environment))]
}
