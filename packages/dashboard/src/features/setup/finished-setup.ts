import type { EndpointBody } from '../../shared/api/types.ts'

/** What set-up has created. The key is known here and nowhere else: it is never shown again. */
export type FinishedSetup = EndpointBody<'completeSetup'>
