import type { Endpoint } from '@burgee/contract'
import { Refusal } from '../kernel/refusal.ts'

/** Refuses a batch that is longer than its endpoint accepts. */
export const tooManyItems = ({ batchMax }: Endpoint) =>
  new Refusal('too_large', `Send at most ${batchMax} items at once.`)
