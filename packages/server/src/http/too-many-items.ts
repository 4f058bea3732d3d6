import type { Endpoint } from '@burgee/contract'
import { Refusal } from '../kernel/refusal.ts'

/** The refusal of a batch that is longer than its endpoint takes. */
export const tooManyItems = ({ batch_max }: Endpoint) =>
  new Refusal('too_large', `Send at most ${batch_max} items at once.`)
