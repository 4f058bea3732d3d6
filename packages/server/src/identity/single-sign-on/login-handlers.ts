import type { singleSignOnEndpoints } from '@burgee/contract'
import { parseCookie } from 'cookie'
import { basePathOf } from '../../kernel/base-path.ts'
import { SESSION_COOKIE } from '../../kernel/session-cookie.ts'
import { hashSecret } from '../../platform/crypto/hash-secret.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { userAgentOf } from '../../platform/user-agent.ts'
import { newLoginSecrets, SsoRefused } from '../oidc/index.ts'
import { linkSession } from './link-session.ts'
import { toLocalPath } from './local-path.ts'
import type { FlowSession, LoginFlow } from './login-flow.ts'
import { useLoginState } from './login-state-queries.ts'
import { reauthenticate } from './reauthenticate.ts'
import { loginPage, openPath, redirect, redirectWithin, refuse } from './replies.ts'
import { LIFETIME_SECONDS } from './sealed-cookie.ts'
import { type SignInRequest, signIn } from './sign-in.ts'
import { requireSetUp, requireWithinLimit, type SingleSignOnDeps } from './single-sign-on.ts'

type LoginHandlers = Pick<
  EndpointHandlers<typeof singleSignOnEndpoints>,
  'getSignInOptions' | 'startSingleSignOn' | 'completeSingleSignOn'
>

/**
 * Handles logins with the identity provider. A browser that is refused gets a page of the dashboard, with the
 * reason in its address.
 */
export function loginHandlers(deps: SingleSignOnDeps): LoginHandlers {
  const { factors, hasPasswordLogin, hasPasswordReset, log, singleSignOn } = deps
  const basePath = basePathOf(singleSignOn?.config.publicUrl ?? null)
  return {
    async getSignInOptions({ headers }) {
      const label = singleSignOn?.config.label ?? null
      return {
        status: 200,
        body: {
          label,
          password_login: hasPasswordLogin,
          password_reset: hasPasswordReset,
          passkey_origins: [...factors.passkeys.origins(headers.host)],
        },
      }
    },
    async startSingleSignOn({ address, headers, query, request_id }) {
      const parts = requireSetUp(singleSignOn)
      const { flows, provider } = parts
      const { purpose = 'login' } = query
      const returnTo = toLocalPath(query.return_to)
      if (isFromAnotherSite(headers['sec-fetch-site']))
        return redirectWithin(basePath, loginPage(returnTo), [])
      try {
        requireWithinLimit(parts, address)
        const session = purpose === 'login' ? null : await findSession(deps, headers.cookie, address)
        const secrets = newLoginSecrets()
        const location = await provider.authorizationUrl(secrets, { isFresh: purpose === 'reauthenticate' })
        return redirect(location, [flows.keep({ ...secrets, purpose, session, returnTo })])
      } catch (error) {
        return refuse(error, { basePath, log, request_id, purpose, returnTo, cookies: [flows.end()] })
      }
    },
    async completeSingleSignOn({ address, headers, raw, request_id }) {
      const { flows } = requireSetUp(singleSignOn)
      const flow = flows.read(headers.cookie)
      const returnTo = flow?.returnTo ?? '/'
      try {
        const request = { address, userAgent: userAgentOf(headers), requestId: request_id }
        const { cookies, path } = await complete(deps, { flow, query: queryOf(raw.request.url), request })
        return openPath(basePath + path, [...cookies, flows.end()])
      } catch (error) {
        const purpose = flow?.purpose ?? 'login'
        return refuse(error, { basePath, log, request_id, purpose, returnTo, cookies: [flows.end()] })
      }
    },
  }
}

/** Returns the session of a browser. A page of another site cannot use it: the cookie is SameSite=Strict. */
async function findSession(
  { sessions }: SingleSignOnDeps,
  cookieHeader: string | undefined,
  address: string,
): Promise<FlowSession> {
  const sealed = cookieHeader === undefined ? undefined : parseCookie(cookieHeader)[SESSION_COOKIE]
  const actor = sealed ? await sessions.find(sealed, () => address) : null
  if (actor?.credential.kind !== 'session') throw new SsoRefused('no_session')
  return { id: actor.credential.sessionId, user_id: actor.user_id }
}

interface Callback {
  readonly flow: LoginFlow | null
  /** The query with its question mark. */
  readonly query: string
  readonly request: SignInRequest
}

/** The page that follows a login. */
interface Completed {
  readonly path: string
  readonly cookies: readonly string[]
}

async function complete(deps: SingleSignOnDeps, { flow, query, request }: Callback): Promise<Completed> {
  const parts = requireSetUp(deps.singleSignOn)
  const { links, provider } = parts
  // The browser of another person, or one that began another login since.
  if (flow === null || new URLSearchParams(query).get('state') !== flow.state)
    throw new SsoRefused('state_mismatch')
  requireWithinLimit(parts, request.address)
  await requireFirst(deps, flow)
  const login = await provider.redeem(query, flow)
  const { returnTo, session } = flow
  if (session !== null) {
    const run = flow.purpose === 'link' ? linkSession : reauthenticate
    return { path: returnTo, cookies: await run(deps, { login, session, flow, request }) }
  }
  const result = await signIn(deps, login, request)
  if (result.kind === 'signed_in') return { path: returnTo, cookies: [result.cookie] }
  const { email, id } = result.account
  const { issuer, subject } = login.identity
  return { path: LINK_PAGE, cookies: [links.keep({ issuer, subject, user_id: id, email, returnTo })] }
}

/** Refuses a callback whose login has ended: each works once, however the provider treats its code. */
async function requireFirst({ clock, db }: SingleSignOnDeps, { state }: LoginFlow): Promise<void> {
  // The cookie of the login has ended by then.
  const expires_at = new Date(clock.now().getTime() + STATE_KEPT_MS).toISOString()
  if (!(await useLoginState(db, { state_hash: hashSecret(state), expires_at })))
    throw new SsoRefused('expired')
}
const STATE_KEPT_MS = 2 * LIFETIME_SECONDS * 1_000

/**
 * Returns whether a page of another site began the navigation. Such a page must not begin a login without a
 * click of the person, who gets the login page instead (Fetch Metadata, W3C). A bookmark is `none`.
 */
const isFromAnotherSite = (site: string | string[] | undefined): boolean =>
  site === 'cross-site' || site === 'same-site'

const LINK_PAGE = '/login/link'

const queryOf = (url = ''): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '')
