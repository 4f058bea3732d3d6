import type { EndpointBody } from '@burgee/contract'

/** The result of setup. The keys are known here and nowhere else: they are never shown again. */
export interface FinishedSetup extends EndpointBody<'completeSetup'> {
  /** False when the browser dropped the session cookie: no call but a login works. */
  readonly hasSession: boolean
  /** The key for the first program; null where it could not be created. */
  readonly readerKey: string | null
}
