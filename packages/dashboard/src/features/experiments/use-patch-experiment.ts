import type { Experiment, ExperimentPatch } from '@burgee/contract'
import { call } from '../../shared/api/call.ts'

/** Changes an experiment and brings the page up to date; rejects with what the server states. */
export function usePatchExperiment({ environment_id, key }: Pick<Experiment, 'environment_id' | 'key'>) {
  const params = { env_id: environment_id, key }
  return async (patch: ExperimentPatch): Promise<void> => {
    await call('updateExperiment', { params, body: patch })
  }
}
