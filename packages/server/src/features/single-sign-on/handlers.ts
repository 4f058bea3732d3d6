import type { singleSignOnEndpoints } from '@burgee/contract'
import { Refusal, tooMany } from '../../kernel/refusal.ts'
import type { AttemptWindow } from '../../platform/attempt-window.ts'
import { countedNetwork } from '../../platform/client-address.ts'
import type { EndpointHandlers } from '../../platform/endpoint-handler.ts'
import type { Log } from '../../platform/log.ts'
import type { SingleSignOnConfig } from '../../platform/settings/single-sign-on-config.ts'
import { type IdentityProvider, newLoginSecrets } from './identity-provider.ts'
import { toLocalPath } from './local-path.ts'
import type { LoginFlow, LoginFlows } from './login-flow.ts'
import { openPath, redirect, refuse } from './replies.ts'
import { type SignInDeps, type SignInRequest, signIn } from './sign-in.ts'
import { SsoRefused } from './sso-refused.ts'

/** The parts of single sign-on, where it is set up. */
export interface SingleSignOn {
  readonly config: SingleSignOnConfig
  readonly provider: IdentityProvider
  readonly flows: LoginFlows
  /** Requests to the provider, by network. */
  readonly attempts: AttemptWindow
}

export interface SingleSignOnDeps extends SignInDeps {
  readonly log: Log
  readonly hasPasswordLogin: boolean
  /** Null while no identity provider is set up. */
  readonly singleSignOn: SingleSignOn | null
}

/**
 * Handles logins with the identity provider. A browser that is refused gets the login page, with the reason
 * in its address.
 */
export function singleSignOnHandlers(deps: SingleSignOnDeps): EndpointHandlers<typeof singleSignOnEndpoints> {
  const { hasPasswordLogin, log, singleSignOn } = deps
  return {
    async getSignInOptions() {
      const label = singleSignOn?.config.label ?? null
      return { status: 200, body: { label, password_login: hasPasswordLogin } }
    },
    async startSingleSignOn({ address, query, request_id }) {
      const { attempts, flows, provider } = requireSetUp(singleSignOn)
      const returnTo = toLocalPath(query.return_to)
      try {
        requireWithinLimit(attempts, address)
        const secrets = newLoginSecrets()
        const location = await provider.authorizationUrl(secrets, { isFresh: false })
        return redirect(location, [flows.begin({ ...secrets, returnTo })])
      } catch (error) {
        return refuse(error, { log, request_id, returnTo, cookies: [flows.end()] })
      }
    },
    async completeSingleSignOn({ address, headers, raw, request_id }) {
      const { flows } = requireSetUp(singleSignOn)
      const flow = flows.read(headers.cookie)
      const returnTo = flow?.returnTo ?? '/'
      try {
        const request = { address, userAgent: headers['user-agent'], requestId: request_id }
        const cookie = await complete(deps, { flow, query: queryOf(raw.request.url), request })
        return openPath(returnTo, [cookie, flows.end()])
      } catch (error) {
        return refuse(error, { log, request_id, returnTo, cookies: [flows.end()] })
      }
    },
  }
}

interface Callback {
  readonly flow: LoginFlow | null
  /** The query with its question mark. */
  readonly query: string
  readonly request: SignInRequest
}

async function complete(deps: SingleSignOnDeps, { flow, query, request }: Callback): Promise<string> {
  const { attempts, provider } = requireSetUp(deps.singleSignOn)
  // The browser of another person, or one that began another login since.
  if (flow === null || new URLSearchParams(query).get('state') !== flow.state)
    throw new SsoRefused('state_mismatch')
  requireWithinLimit(attempts, request.address)
  const login = await provider.redeem(query, flow)
  const result = await signIn(deps, login, request)
  if (result.kind === 'confirm') throw new SsoRefused('no_account')
  return result.cookie
}

function requireSetUp(singleSignOn: SingleSignOn | null): SingleSignOn {
  if (singleSignOn !== null) return singleSignOn
  throw new Refusal('not_found', 'Single sign-on is not set up. Set OIDC_ISSUER to use it.')
}

/** Each login costs requests to the provider. */
function requireWithinLimit(attempts: AttemptWindow, address: string): void {
  const network = countedNetwork(address)
  const seconds = attempts.retryAfterSeconds(network)
  if (seconds !== null) throw tooMany('Too many logins from this address. Try again later.', seconds)
  attempts.count(network)
}

const queryOf = (url = ''): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '')
