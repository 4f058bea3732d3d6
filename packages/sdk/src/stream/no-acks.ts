import type { Platform } from '../platform.ts'
import type { Request } from '../request.ts'
import type { Acks } from './acks.ts'

/** Confirms nothing: the light client and the bundles for browsers have this instead of `acks.ts`. */
export const createAcks = (_platform: Platform, request: Request): Acks => ({
  request,
  applied: () => {},
})
