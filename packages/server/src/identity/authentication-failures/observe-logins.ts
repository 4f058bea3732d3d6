import type {
  AuthenticationAction,
  authEndpoints,
  oneTimeLinkEndpoints,
  passkeyEndpoints,
  singleSignOnEndpoints,
} from '@burgee/contract'
import { Refusal } from '../../kernel/refusal.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import type { FailureLog, NewFailure } from './create-failure-log.ts'
import type { LoginMetrics, ProofResult } from './measure-logins.ts'

type Handlers = EndpointHandlers<
  typeof authEndpoints & typeof passkeyEndpoints & typeof oneTimeLinkEndpoints & typeof singleSignOnEndpoints
>

interface ObserverDeps {
  readonly failures: FailureLog
  readonly loginMetrics: LoginMetrics
  /** Returns the user whose first step a cookie has; null without one. */
  readonly userOfStep: (cookie: string | undefined) => number | null
  /** Returns the e-mail address of the account that a cookie is about to link; null without one. */
  readonly linkedEmail: (cookie: string | undefined) => string | null
}

interface Caller {
  readonly address: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Adds to the handlers of logins that what they refuse is counted, and is in the audit log. */
export function observeLogins<H extends Handlers>(deps: ObserverDeps, handlers: H): H {
  const { linkedEmail, loginMetrics: count, userOfStep } = deps
  return {
    ...handlers,
    login: observe(handlers.login, (refusal, request) =>
      fail(deps, refusal, request, {
        ...{ action: 'auth.login_failed', account: request.body.email, count: count.login },
      }),
    ),
    loginWithSecondFactor: observe(handlers.loginWithSecondFactor, (refusal, request) =>
      fail(deps, refusal, request, {
        ...{
          action: 'auth.second_factor_failed',
          account: userOfStep(request.headers.cookie),
          count: count.secondFactor,
        },
      }),
    ),
    loginWithPasskey: observe(handlers.loginWithPasskey, (refusal, request) =>
      fail(deps, refusal, request, { action: 'auth.login_failed', account: null, count: count.login }),
    ),
    reauthenticate: observe(handlers.reauthenticate, (refusal, request) =>
      fail(deps, refusal, request, {
        action: 'auth.reauthenticate_failed',
        account: request.actor.user_id,
        count: count.reauthentication,
      }),
    ),
    changePassword: observe(handlers.changePassword, (refusal, request) =>
      fail(deps, refusal, request, {
        action: 'auth.reauthenticate_failed',
        account: request.actor.user_id,
        count: count.reauthentication,
      }),
    ),
    redeemLink: observe(handlers.redeemLink, (refusal, request) =>
      fail(deps, refusal, request, { action: 'auth.link_failed', account: null, count: count.link }),
    ),
    confirmLink: observe(handlers.confirmLink, (refusal, request) =>
      fail(deps, refusal, request, {
        ...{ action: 'auth.login_failed', account: linkedEmail(request.headers.cookie), count: count.login },
      }),
    ),
    completeSingleSignOn: observeRedirects(deps, handlers.completeSingleSignOn),
    startSingleSignOn: observeRedirects(deps, handlers.startSingleSignOn),
  }
}

const observe =
  <R extends Caller, A>(
    handler: (request: R) => Promise<A>,
    onRefused: (refusal: Refusal, request: R) => void,
  ) =>
  async (request: R): Promise<A> => {
    try {
      return await handler(request)
    } catch (error) {
      if (error instanceof Refusal) onRefused(error, request)
      throw error
    }
  }

interface Failed {
  readonly action: AuthenticationAction
  readonly account: NewFailure['account']
  readonly count: (result: ProofResult) => void
}

function fail(
  { failures }: ObserverDeps,
  refusal: Refusal,
  { address, headers }: Caller,
  { account, action, count }: Failed,
): void {
  const result = resultOf(refusal)
  if (result === null) return
  count(result)
  const caller = { account, address, userAgent: headers['user-agent'] }
  failures.record({ ...caller, action, reason: result })
  if (refusal.extras.attempts_remaining === 0) {
    failures.record({ ...caller, action: 'auth.locked', reason: 'too_many_failures' })
  }
}

/** Returns the result of a refused proof; null where nothing was proven wrong. */
function resultOf({ extras, kind }: Refusal): ProofResult | null {
  if (extras.attempts_remaining !== undefined) return 'wrong'
  if (extras.reason === 'account_disabled') return 'disabled'
  if (kind === 'too_many') return 'limited'
  if (extras.reason !== undefined) return null
  if (kind === 'not_found' || kind === 'unauthenticated') return 'wrong'
  return kind === 'forbidden' ? 'refused' : null
}

const NOWHERE = 'http://nowhere.invalid'

/** Counts failures of single sign-on, which redirect to a page that explains them. */
const observeRedirects =
  <R extends Caller, A>({ failures, loginMetrics }: ObserverDeps, handler: (request: R) => Promise<A>) =>
  async (request: R): Promise<A> => {
    const reply = await handler(request)
    const { headers }: { headers?: { location?: unknown } } = Object(reply)
    const location = headers?.location
    if (typeof location !== 'string') return reply
    const reason = new URL(location, NOWHERE).searchParams.get('sso_error')
    if (reason === null) return reply
    loginMetrics.singleSignOn(reason)
    const { address } = request
    const userAgent = request.headers['user-agent']
    failures.record({ action: 'auth.sso_failed', reason, account: null, address, userAgent })
    return reply
  }
