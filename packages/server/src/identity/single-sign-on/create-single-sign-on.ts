import type { Clock } from '../../platform/clock.ts'
import { createAttemptWindow } from '../../platform/concurrency/attempt-window.ts'
import { createTextSeal } from '../../platform/crypto/sealed-text.ts'
import type { SingleSignOnConfig } from '../../platform/settings/single-sign-on-config.ts'
import { createLoginFlows } from './login-flow.ts'
import { createPendingLinks } from './pending-link.ts'
import type { SingleSignOn } from './single-sign-on.ts'

/** The steps of logins of an address in a minute. A company may share one address. */
const ATTEMPTS_PER_ADDRESS = 600
/** The logout tokens of an address that are refused with a reason in a minute. */
const REFUSED_LOGOUTS_PER_ADDRESS = 60
const ATTEMPT_WINDOW_MS = 60_000

interface Deps {
  readonly clock: Clock
  readonly sessionSecrets: readonly string[]
  readonly cookieSecure: boolean
}

/**
 * Creates single sign-on from its settings; null without an identity provider, which then costs neither time
 * nor memory. Nothing is fetched yet.
 */
export async function createSingleSignOn(
  { clock, cookieSecure, sessionSecrets }: Deps,
  config: SingleSignOnConfig | null,
): Promise<SingleSignOn | null> {
  if (config === null) return null
  const { createIdentityProvider } = await import('../oidc/identity-provider.ts')
  const createWindow = (limit: number) =>
    createAttemptWindow({ clock }, { limit, windowMs: ATTEMPT_WINDOW_MS })
  const seal = createTextSeal(sessionSecrets, 'single sign-on')
  const linkSeal = createTextSeal(sessionSecrets, 'link with a person at the identity provider')
  return {
    config,
    provider: createIdentityProvider({ clock, config }),
    flows: createLoginFlows({ clock, seal, cookieSecure }),
    links: createPendingLinks({ clock, seal: linkSeal, cookieSecure }),
    attempts: createWindow(ATTEMPTS_PER_ADDRESS),
    refusedLogouts: createWindow(REFUSED_LOGOUTS_PER_ADDRESS),
  }
}

/** The encryption of ID tokens in the database. */
export const createTokenSeal = (sessionSecrets: readonly string[]) =>
  createTextSeal(sessionSecrets, 'id token')
