import type { Environment } from '@burgee/contract'
import { isProduction } from '../../shared/scope/is-production.ts'

/** The environment that the others are compared with: the one the address names, else Production, else the first. */
export const chooseSource = (environments: readonly Environment[], wanted: string): Environment | undefined =>
  environments.find(({ id }) => id === wanted) ?? environments.find(isProduction) ?? environments[0]
