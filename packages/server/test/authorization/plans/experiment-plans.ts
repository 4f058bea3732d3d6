import type { experimentEndpoints } from '@burgee/contract'
import { asAdmin, type Place, type World } from '../world.ts'
import type { Planner, Planners } from './plan.ts'

export const EXPERIMENT_PLANS: Planners<typeof experimentEndpoints> = {
  listExperiments: async (_world, { environment_id }) => ({ params: { env_id: environment_id } }),
  getExperiment: async (world, place) => toNewExperiment(world, place),
  createExperiment: async (world, { environment_id }) => ({
    params: { env_id: environment_id },
    body: newExperiment(world),
  }),
  updateExperiment: async (world, place) => ({
    ...(await toNewExperiment(world, place)),
    body: { status: 'paused' },
  }),
  deleteExperiment: async (world, place) => toNewExperiment(world, place),
  getExperimentResults: async (world, place) => toNewExperiment(world, place),
}

async function toNewExperiment(world: World, { environment_id }: Place): ReturnType<Planner> {
  const body = newExperiment(world)
  await asAdmin(world.server, { path: `/api/environments/${environment_id}/experiments`, body })
  return { params: { env_id: environment_id, key: body.key } }
}

const newExperiment = ({ newName }: World) => ({
  name: 'Experiment',
  key: newName('experiment'),
  flag_key: 'any-flag',
  goal_event_key: 'any-goal',
})
