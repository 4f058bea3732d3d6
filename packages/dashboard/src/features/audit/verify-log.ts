import type { AuditVerification } from '@burgee/contract'
import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../shared/api/api-error.ts'
import { urlOf } from '../../shared/api/call.ts'
import { sessionExpiry } from '../../shared/api/session-signals.ts'

/** The chains to verify: one of a project, all of a project, or all of the workspace. */
export interface VerifiedChains {
  readonly project_id: string | null
  readonly chain: string | null
}

const MINUTE_MS = 60_000
/** A verification reads every entry, so its result is kept while the person goes from page to page. */
const KEPT_MS = 10 * MINUTE_MS

/** Query options of a verification, whose lines are the result. */
export const verificationQuery = (chains: VerifiedChains) =>
  queryOptions({
    queryKey: ['verified audit', chains.project_id, chains.chain],
    queryFn: ({ signal }) => verifyLog(chains, signal),
    staleTime: KEPT_MS,
    gcTime: KEPT_MS,
    refetchOnWindowFocus: false,
    retry: false,
  })

async function verifyLog(
  { chain, project_id }: VerifiedChains,
  signal: AbortSignal,
): Promise<readonly AuditVerification[]> {
  const query = chain === null ? {} : { chain }
  const url =
    project_id === null
      ? urlOf('verifyAudit', { query })
      : urlOf('verifyProjectAudit', { params: { project_id }, query })
  const response = await fetch(url, { credentials: 'same-origin', signal })
  if (response.status === 401) sessionExpiry.announce()
  if (!response.ok)
    throw new ApiError(response.status, { error: `The server responded with ${response.status}. Try again.` })
  const lines = (await response.text()).split('\n').filter((line) => line !== '')
  // The contract states what a line is.
  return lines.map((line) => JSON.parse(line) as AuditVerification)
}
