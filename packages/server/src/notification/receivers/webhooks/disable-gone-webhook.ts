import { type WorkspaceWriteDeps, writeWorkspace } from '../../../changes/index.ts'
import type { Author } from '../../../kernel/actor.ts'
import { dropJobsOf, type FinishedAttempt, nextStep, recordAttempts } from '../../deliveries/index.ts'
import { updateReceiverRow } from '../queries.ts'
import { receiverAudit } from '../receiver.ts'
import { lockWebhookById } from './queries.ts'
import { WEBHOOK } from './webhook.ts'

/** The actor: not a user, but the receiver by its response. */
const SYSTEM: Author = { kind: 'past', name: 'system' }

/**
 * Logs an attempt with the response 410 Gone and disables its webhook, in one transaction; its other jobs are
 * dropped (docs/reference/events.md). For a webhook that is already disabled or deleted, only the attempt is
 * logged; after a change of its URL, the response of the old one is a failure like others.
 */
export async function disableGoneWebhook(deps: WorkspaceWriteDeps, attempt: FinishedAttempt): Promise<void> {
  const left = await disable(deps, attempt).catch((error: unknown) => {
    if (error === NOTHING_TO_DISABLE) return attempt
    if (error === HAS_MOVED) return { ...attempt, next: nextStep(attempt.job, null) }
    throw error
  })
  if (left !== null) await recordAttempts(deps.db, [left])
}

const NOTHING_TO_DISABLE = new Error('the webhook is disabled or deleted')
const HAS_MOVED = new Error('the webhook has another url by now')

async function disable(deps: WorkspaceWriteDeps, attempt: FinishedAttempt): Promise<null> {
  const { receiver } = attempt.job
  return writeWorkspace(deps, SYSTEM, async ({ tx }) => {
    const webhook = await lockWebhookById(tx, receiver.id)
    if (!webhook?.enabled) throw NOTHING_TO_DISABLE
    if (receiver.kind !== 'webhook' || receiver.url !== webhook.url) throw HAS_MOVED
    const { project_id, ...before } = webhook
    await updateReceiverRow(tx, WEBHOOK.tables, before.id, { enabled: false })
    await recordAttempts(tx, [attempt])
    await dropJobsOf(tx, before.id)
    const after = { ...before, enabled: false }
    return {
      result: null,
      audit: receiverAudit(WEBHOOK, {
        project_id,
        action: 'update',
        before,
        after,
        reason: 'the receiver returned 410 Gone',
      }),
      changesAccess: false,
    }
  })
}
