import type { Endpoint } from '@burgee/contract'
import { Refusal } from '../kernel/refusal.ts'

/** Refuses a batch that is longer than its endpoint accepts; `count` where its items were counted to the end. */
export const tooManyItems = ({ batchMax }: Endpoint, count?: number) =>
  new Refusal(
    'too_large',
    `The batch has ${count ?? `more than ${batchMax}`} items; at most ${batchMax} are accepted at once.`,
  )
