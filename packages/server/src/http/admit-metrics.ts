import { notFound, unauthenticated } from '../kernel/refusal.ts'
import { equalSecrets } from '../platform/crypto/equal-secrets.ts'

/** Throws unless the bearer is METRICS_TOKEN; without one there is no such route (docs/operations.md). */
export const createAdmitMetrics =
  (metrics_token: string | null) =>
  (bearer: string | undefined): void => {
    if (metrics_token === null) throw notFound('route')
    if (bearer === undefined || !equalSecrets(bearer, metrics_token))
      throw unauthenticated('Send METRICS_TOKEN as a bearer.')
  }
