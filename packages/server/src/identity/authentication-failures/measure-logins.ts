import { SSO_FAILURES } from '@burgee/contract'
import { Refusal } from '../../kernel/refusal.ts'
import type { LoginMethod } from '../../platform/db/tables.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'

/** The results of a password, a second factor or a link. */
const PROOF_RESULTS = ['success', 'wrong', 'disabled', 'limited', 'refused'] as const
export type ProofResult = (typeof PROOF_RESULTS)[number]

/** Counts authentications for the metrics of this instance. */
export interface LoginMetrics {
  readonly login: (result: ProofResult) => void
  readonly secondFactor: (result: ProofResult) => void
  readonly reauthentication: (result: ProofResult) => void
  readonly link: (result: ProofResult) => void
  /** `success`, or the reason of the failure. */
  readonly singleSignOn: (result: string) => void
  /** A bearer that gave no access. */
  readonly bearer: (kind: 'sdk_key' | 'token', reason: 'unknown' | 'limited') => void
}

const SECOND_FACTORS: ReadonlySet<LoginMethod> = new Set(['totp', 'recovery_code'])

export function measureLogins(metrics: Metrics): LoginMetrics {
  const proofs = (name: string, what: string) => {
    const from = PROOF_RESULTS.map((result) => ({ result }))
    const count = metrics.counter({ name, help: `${what}, by result.`, labels: ['result'], from })
    return (result: ProofResult) => count({ result }, 1)
  }
  const ssoResults = ['success', ...SSO_FAILURES].map((result) => ({ result }))
  const countSso = metrics.counter({
    name: 'sso_logins_total',
    help: 'Logins with the identity provider, by result.',
    labels: ['result'],
    from: ssoResults,
  })
  const bearers = (['sdk_key', 'token'] as const).flatMap((kind) =>
    (['unknown', 'limited'] as const).map((reason) => ({ kind, reason })),
  )
  const countBearer = metrics.counter({
    name: 'bearers_refused_total',
    help: 'Requests whose SDK key or token gave no access.',
    labels: ['kind', 'reason'],
    from: bearers,
  })
  return {
    login: proofs('logins_total', 'Logins'),
    secondFactor: proofs('second_factors_total', 'Second factors'),
    reauthentication: proofs('reauthentications_total', 'Confirmations of a session'),
    link: proofs('one_time_links_total', 'One-time links'),
    singleSignOn: (result) => countSso({ result }, 1),
    bearer: (kind, reason) => countBearer({ kind, reason }, 1),
  }
}

/** Counts a login, or the confirmation of a session, that succeeded with this last proof. */
export function countSuccess(metrics: LoginMetrics, what: 'login' | 'reauthentication', method: LoginMethod) {
  metrics[what]('success')
  if (SECOND_FACTORS.has(method)) metrics.secondFactor('success')
  if (method === 'sso') metrics.singleSignOn('success')
}

/** Looks a bearer up, and counts one that gives no access. */
export async function countRefused<A>(
  { bearer }: LoginMetrics,
  kind: 'sdk_key' | 'token',
  find: () => Promise<A | null>,
): Promise<A | null> {
  try {
    const found = await find()
    if (found === null) bearer(kind, 'unknown')
    return found
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'too_many') bearer(kind, 'limited')
    throw error
  }
}
