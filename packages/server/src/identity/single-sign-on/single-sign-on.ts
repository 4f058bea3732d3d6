import { Refusal, tooMany } from '../../kernel/refusal.ts'
import { countedNetwork } from '../../platform/client-address.ts'
import type { AttemptWindow } from '../../platform/concurrency/attempt-window.ts'
import type { Log } from '../../platform/log/log.ts'
import type { SingleSignOnConfig } from '../../platform/settings/single-sign-on-config.ts'
import type { MappingDeps } from '../group-roles/index.ts'
import type { IdentityProvider } from '../oidc/index.ts'
import type { PasswordCheckDeps } from '../passwords/index.ts'
import type { LoginFlows } from './login-flow.ts'
import type { PendingLinks } from './pending-link.ts'
import type { SignInDeps } from './sign-in.ts'

/** The parts of single sign-on, where it is set up. */
export interface SingleSignOn {
  readonly config: SingleSignOnConfig
  readonly provider: IdentityProvider
  readonly flows: LoginFlows
  readonly links: PendingLinks
  /** Requests that cost work at the provider, by network. */
  readonly attempts: AttemptWindow
  /** Logout tokens that were refused, by network. */
  readonly refusedLogouts: AttemptWindow
}

export interface SingleSignOnDeps extends SignInDeps, PasswordCheckDeps, MappingDeps {
  readonly log: Log
  readonly hasPasswordLogin: boolean
  readonly hasPasswordReset: boolean
  readonly cookieSecure: boolean
  /** Null while no identity provider is set up. */
  readonly singleSignOn: SingleSignOn | null
}

export function requireSetUp(singleSignOn: SingleSignOn | null): SingleSignOn {
  if (singleSignOn !== null) return singleSignOn
  throw new Refusal('not_found', 'Single sign-on is not set up. Set OIDC_ISSUER to use it.')
}

/** Refuses with `too_many` when an address has caused too much work at the provider. */
export function requireWithinLimit({ attempts }: SingleSignOn, address: string): void {
  const network = countedNetwork(address)
  const seconds = attempts.retryAfterSeconds(network)
  if (seconds !== null)
    throw tooMany('Too many attempts to sign in from this address. Try again later.', seconds)
  attempts.count(network)
}
