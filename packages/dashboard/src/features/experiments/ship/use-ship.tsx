import type { EndpointInput, Experiment, Flag } from '@burgee/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { announceOutcome } from '../../../parts/flag-writes/announce-outcome.tsx'
import { usePatchFlag } from '../../../parts/flag-writes/use-patch-flag.ts'
import { hasStatus } from '../../../shared/api/api-error.ts'
import { refresh } from '../../../shared/api/queries.ts'
import { nameValue } from '../../../shared/charts/name-value.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { usePatchExperiment } from '../use-patch-experiment.ts'

export interface Shipment {
  readonly experiment: Experiment
  /** As the person reviewed it. */
  readonly flag: Flag
  readonly patch: EndpointInput<'patchFlag'>['body']
  /** The reported value. */
  readonly winner: string
}

/**
 * Saves the flag, then completes the experiment. If the change waits for approval, the experiment goes on.
 */
export function useShip({ experiment, flag, patch, winner }: Shipment, onDone: () => void) {
  const client = useQueryClient()
  const { project_id, environment_id } = useScope()
  const patchFlag = usePatchFlag(environment_id)
  const patchExperiment = usePatchExperiment(experiment)
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const ship = async (comment: string | undefined): Promise<void> => {
    setBusy(true)
    setFailure(null)
    try {
      const outcome = await patchFlag(flag.key, patch, { ifMatch: flag.revision, comment })
      if (outcome.kind === 'done') await patchExperiment({ status: 'completed' })
      announceOutcome(outcome, {
        done: `${flag.key} serves ${nameValue(winner)} to everyone. The experiment is completed.`,
        project_id,
        environment_id,
      })
      onDone()
    } catch (error) {
      if (hasStatus(error, 412)) await refresh(client, 'getFlag')
      setFailure(error)
    }
    setBusy(false)
  }
  return { ship, failure, isBusy }
}
