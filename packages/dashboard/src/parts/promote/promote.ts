import type { Environment, Flag } from '@burgee/contract'
import type { QueryClient } from '@tanstack/react-query'
import { type Explained, send } from '../../shared/api/call.ts'
import { notifyFailure } from '../../shared/ui/notify.tsx'
import { announceOutcome } from '../flag-writes/announce-outcome.tsx'
import { settleFlagWrite } from '../flag-writes/flag-write.ts'

interface PromoteOrder {
  readonly project_id: string
  readonly flag: Flag
  readonly source: Environment
  readonly target: Environment
  /** The target's flag as it was; null where it had none. */
  readonly before: Flag | null
  readonly copy_segments: boolean
  readonly explained: Explained
}

/**
 * Promotes, brings the caches up to date and announces the outcome, with a way back where the target had the
 * flag.
 */
export async function promote(client: QueryClient, order: PromoteOrder): Promise<void> {
  const { before, copy_segments, explained, flag, project_id, source, target } = order
  const input = {
    params: { env_id: source.id, key: flag.key },
    body: { target_env_id: target.id, ...(copy_segments && { copy_segments }) },
  }
  const reply = await send('promoteFlag', input, explained)
  const outcome = settleFlagWrite(client, target.id, reply)
  const takeBack = () => {
    if (before && outcome.kind === 'done')
      void restore(client, { target, before, ifMatch: outcome.flag.revision })
  }
  announceOutcome(outcome, {
    done: `${flag.key} is promoted to ${target.name}`,
    project_id,
    environment_id: target.id,
    ...(before && { onUndo: takeBack }),
  })
}

async function restore(
  client: QueryClient,
  {
    before,
    ifMatch,
    target,
  }: { readonly before: Flag; readonly target: Environment; readonly ifMatch: number },
): Promise<void> {
  try {
    const reply = await send(
      'restoreFlag',
      { params: { env_id: target.id, key: before.key }, body: { revision: before.revision } },
      { ifMatch },
    )
    settleFlagWrite(client, target.id, reply)
  } catch (error) {
    notifyFailure('The promotion was not taken back', error)
  }
}
