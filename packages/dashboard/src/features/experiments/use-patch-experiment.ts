import type { Experiment, ExperimentPatch } from '@burgee/contract'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/call.ts'
import { endpointKey, refresh } from '../../shared/api/queries.ts'

/** Changes an experiment and brings the page up to date; rejects with what the server says. */
export function usePatchExperiment({ environment_id, key }: Pick<Experiment, 'environment_id' | 'key'>) {
  const client = useQueryClient()
  const params = { env_id: environment_id, key }
  return async (patch: ExperimentPatch): Promise<void> => {
    const saved = await call('updateExperiment', { params, body: patch })
    client.setQueryData(endpointKey('getExperiment', { params }), saved)
    await refresh(client, 'listExperiments', 'getExperimentResults')
  }
}
