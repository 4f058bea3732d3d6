import type { Endpoint } from '@burgee/contract'
import { Refusal } from '../../kernel/refusal.ts'

/**
 * Builds the refusal of a batch above the limit of its endpoint. `count` is given when all items were
 * counted.
 */
export const tooManyItems = ({ batchMax }: Endpoint, count?: number) =>
  new Refusal(
    'too_large',
    `The batch has ${count ?? `more than ${batchMax}`} items; at most ${batchMax} are accepted at once.`,
  )
