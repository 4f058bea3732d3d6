import type { AckInput } from '@burgee/contract'
import { isClientKey, type SdkKeyActor } from '../../kernel/actor.ts'
import { isUuid } from '../../kernel/is-uuid.ts'
import { invalid } from '../../kernel/refusal.ts'
import type { ReportBudget } from '../ingest/report-budget.ts'
import type { StoreUnknownFlags } from './store-unknown-flags.ts'
import { toUnknownFlagBatch } from './unknown-flag-batch.ts'

/**
 * Receives an acknowledgment. Returns the `X-Burgee-Ack` of the response; null for a key that confirms
 * nothing.
 */
export type Acknowledge = (actor: SdkKeyActor, body: AckInput) => Promise<string | null>

interface AcknowledgeDeps {
  readonly budget: ReportBudget
  readonly storeUnknown: StoreUnknownFlags
  readonly confirm: (
    actor: SdkKeyActor,
    client: string | undefined,
    applied: NonNullable<AckInput['applied']>,
  ) => string | null
}

/** The id of a client as it is stored; null for a text that none can have. */
const toClientId = (client: string | undefined): string | null =>
  client !== undefined && isUuid(client) ? client : null

/** Creates the function that receives acknowledgments: confirmed revisions, and unknown flags. */
export function createAcknowledge({ budget, confirm, storeUnknown }: AcknowledgeDeps): Acknowledge {
  return async (actor, { applied = [], client, unknown: reported }) => {
    if (client === undefined && reported === undefined)
      throw invalid([{ path: '/client', message: 'is required, where nothing is reported in unknown' }])
    const unknown = reported ?? []
    budget.spend(actor, 1)
    const ack = confirm(actor, client, applied)
    const batch = toUnknownFlagBatch(unknown, isClientKey(actor), toClientId(client))
    if (batch.rows > 0) await storeUnknown(actor.environment_id, batch)
    return ack
  }
}
