import type { Endpoint } from '@burgee/contract'
import { Refusal } from '../kernel/refusal.ts'

/** The refusal of a batch that is longer than its endpoint takes. */
export const tooManyItems = ({ batchMax }: Endpoint) =>
  new Refusal('too_large', `Send at most ${batchMax} items at once.`)
