import type { InvariantCheck } from '@burgee/contract'

/** The decisions for one environment, `shop/production`. */
export interface TestedEnvironment {
  readonly environment: string
  readonly checks: readonly InvariantCheck[]
}
