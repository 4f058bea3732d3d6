import { notFound, unauthenticated } from '../../kernel/refusal.ts'
import { equalSecrets } from '../../platform/crypto/equal-secrets.ts'

/**
 * Refuses unless the bearer token is METRICS_TOKEN. While that is unset, the route does not exist
 * (docs/operations.md).
 */
export const createAdmitMetrics =
  (metrics_token: string | null) =>
  (bearer: string | undefined): void => {
    if (metrics_token === null) throw notFound('route')
    if (bearer === undefined || !equalSecrets(bearer, metrics_token))
      throw unauthenticated('Send METRICS_TOKEN as a bearer.')
  }
