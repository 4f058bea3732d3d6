import type { ChangeRequest } from '@burgee/contract'
import type { QueryClient } from '@tanstack/react-query'
import { forgetFlag, storeFlag } from '../../parts/flag-writes/flag-write.ts'
import { call, type Explained } from '../../shared/api/call.ts'
import { refresh } from '../../shared/api/queries.ts'
import { STALE } from '../../shared/api/stale-lists.ts'

export type Decision =
  | ({ readonly kind: 'approve' } & Explained)
  | ({ readonly kind: 'bypass'; readonly reason: string } & Explained)
  | ({ readonly kind: 'reject'; readonly reason: string | null } & Comment)
  | ({ readonly kind: 'cancel' } & Comment)

interface Comment {
  readonly comment: string | undefined
}

/** The outcome of a decision. */
export interface Decided {
  readonly message: string
  /** The revision before an approval that changed the flag at once: restoring it undoes the approval. */
  readonly undoRevision?: number
}

/** Decides a request and gives the message about it. It is read again if someone else decided it first. */
export async function decide(
  client: QueryClient,
  request: ChangeRequest,
  decision: Decision,
): Promise<Decided> {
  try {
    return await perform(client, request, decision)
  } catch (error) {
    await refresh(client, ...STALE.approveChangeRequest)
    throw error
  }
}

async function perform(client: QueryClient, request: ChangeRequest, decision: Decision): Promise<Decided> {
  const { environment_id: env_id, flag_key, id, operation } = request
  const { comment } = decision
  const input = { params: { env_id, id } }
  if (decision.kind === 'cancel') {
    await call('cancelChangeRequest', input, { comment })
    return { message: `Request ${id} is withdrawn` }
  }
  if (decision.kind === 'reject') {
    await call('rejectChangeRequest', { ...input, body: { reason: decision.reason } }, { comment })
    const outcome = operation === 'create' ? 'is not created' : 'stays as it is'
    return { message: `Request ${id} is rejected; ${flag_key} ${outcome}` }
  }
  const { overrideReason } = decision
  // The approval is for the flag as the reviewer saw it: 409 if the flag has changed since.
  const seen = request.preview?.before?.revision
  const body = {
    ...(seen !== undefined && { revision: seen }),
    ...(decision.kind === 'bypass' && { bypass_reason: decision.reason }),
  }
  const reply = await call(
    'approveChangeRequest',
    { ...input, body },
    {
      ...{ comment, overrideReason },
      settle: ({ body: approved }) => {
        if ('approvals' in approved) return
        const { warnings: _, ...flag } = approved
        // The response for a deleted flag holds the flag as it was.
        if (operation === 'delete') forgetFlag(client, env_id, flag_key)
        else storeFlag(client, env_id, flag)
      },
    },
  )
  if ('approvals' in reply) return { message: `Your approval is recorded. ${flag_key} waits for others.` }
  return describeApproval(request, decision.kind === 'bypass' ? 'Applied without approval' : 'Approved')
}

function describeApproval(
  { flag_key, operation, preview, scheduled_at }: ChangeRequest,
  how: string,
): Decided {
  if (operation === 'delete') return { message: `${how}: ${flag_key} is deleted` }
  if (operation === 'create') return { message: `${how}: ${flag_key} is created` }
  if (operation === 'unschedule')
    return { message: `${how}: the scheduled change of ${flag_key} is withdrawn` }
  const isLater = scheduled_at !== null && Date.parse(scheduled_at) > Date.now()
  if (isLater) return { message: `${how}: the change of ${flag_key} is scheduled` }
  const undoRevision = preview?.before?.revision
  return {
    message: `${how}: ${flag_key} is changed`,
    ...(undoRevision !== undefined && { undoRevision }),
  }
}
