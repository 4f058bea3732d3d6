import type { Flag } from '@burgee/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { announceOutcome } from '../../../parts/flag-writes/announce-outcome.tsx'
import { settleFlagWrite } from '../../../parts/flag-writes/flag-write.ts'
import { hasStatus } from '../../../shared/api/api-error.ts'
import { type CallOptions, type Explained, send } from '../../../shared/api/call.ts'
import { refresh } from '../../../shared/api/queries.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { notifyFailure } from '../../../shared/ui/notify.tsx'

interface Restoration {
  readonly restored: Flag
  readonly onDone: () => void
}

/**
 * Brings an earlier revision back if the flag is still as the person sees it. The restore can itself be
 * undone.
 */
export function useRestore(flag: Flag, { restored, onDone }: Restoration) {
  const client = useQueryClient()
  const { project_id, environment_id } = useScope()
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const run = async (revision: number, options: Explained & Pick<CallOptions, 'ifMatch'>) => {
    const params = { env_id: environment_id, key: flag.key }
    const reply = await send('restoreFlag', { params, body: { revision } }, options)
    return settleFlagWrite(client, environment_id, reply)
  }
  const perform = async (explained: Explained) => {
    const outcome = await run(restored.revision, { ...explained, ifMatch: flag.revision })
    onDone()
    const takeBack = () => {
      if (outcome.kind === 'asked') return
      run(flag.revision, { ifMatch: outcome.flag.revision }).catch((error: unknown) =>
        notifyFailure('The restore was not undone', error),
      )
    }
    announceOutcome(outcome, {
      done: `${flag.key} is as it was at revision ${restored.revision}`,
      project_id,
      environment_id,
      onUndo: takeBack,
    })
  }
  const restore = async (explained: Explained): Promise<void> => {
    setBusy(true)
    setFailure(null)
    try {
      await perform(explained)
    } catch (error) {
      // Someone else changed it first: the dialog then shows the difference to their version.
      if (hasStatus(error, 412)) await refresh(client, 'getFlag', 'getFlagHistory')
      setFailure(error)
      setBusy(false)
    }
  }
  return { restore, failure, isBusy }
}
