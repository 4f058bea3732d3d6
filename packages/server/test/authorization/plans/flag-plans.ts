import type { applyEndpoints, flagEndpoints, segmentEndpoints } from '@burgee/contract'
import { asAdmin, type Place, putFlag, type World } from '../world.ts'
import type { Planner, Planners } from './plan.ts'

export const FLAG_PLANS: Planners<typeof flagEndpoints> = {
  listFlags: async (_world, { environment_id }) => ({ params: { env_id: environment_id } }),
  getFlag: async (world, place) => toNewFlag(world, place),
  putFlag: async ({ newName }, { environment_id }) => ({
    params: { env_id: environment_id },
    body: { key: newName('flag'), is_enabled: true },
  }),
  previewFlag: async ({ newName }, { environment_id }) => ({
    params: { env_id: environment_id },
    body: { key: newName('flag'), is_enabled: true },
  }),
  patchFlag: async (world, place) => ({
    ...(await toNewFlag(world, place)),
    body: { rollout_percentage: 50 },
  }),
  deleteFlag: async (world, place) => toNewFlag(world, place),
  archiveFlag: async (world, place) => toNewFlag(world, place),
  unarchiveFlag: async (world, place) => toNewFlag(world, place),
  promoteFlag: async (world, place) => ({
    ...(await toNewFlag(world, place)),
    body: { target_env_id: place.otherEnvironmentId },
  }),
  getFlagHistory: async (world, place) => toNewFlag(world, place),
  restoreFlag: async (world, { environment_id }) => {
    const { key, revision } = await putFlag(world, environment_id)
    return { params: { env_id: environment_id, key }, body: { revision } }
  },
  changeFlagsInBulk: async (world, { environment_id }) => {
    const { key } = await putFlag(world, environment_id)
    return { params: { env_id: environment_id }, body: { keys: [key], action: 'disable' } }
  },
  compareFlags: async (_world, { environment_id, otherEnvironmentId, project_id }) => ({
    params: { project_id },
    query: { source: environment_id, target: otherEnvironmentId },
  }),
}

export const APPLY_PLANS: Planners<typeof applyEndpoints> = {
  applyEnvironment: async (world, { environment_id }) => {
    const { key } = await putFlag(world, environment_id)
    return { params: { env_id: environment_id }, body: { flags: [{ key, rollout_percentage: 40 }] } }
  },
}

export const SEGMENT_PLANS: Planners<typeof segmentEndpoints> = {
  listSegments: async (_world, { environment_id }) => ({ params: { env_id: environment_id } }),
  getSegment: async (world, place) => toNewSegment(world, place),
  createSegment: async (world, { environment_id }) => ({
    params: { env_id: environment_id },
    body: newSegment(world),
  }),
  previewSegment: async (world, { environment_id }) => ({
    params: { env_id: environment_id },
    body: { key: world.newName('segment'), patch: { name: 'Segment' } },
  }),
  patchSegment: async (world, place) => ({
    ...(await toNewSegment(world, place)),
    body: { description: 'Changed' },
  }),
  deleteSegment: async (world, place) => toNewSegment(world, place),
}

async function toNewFlag(world: World, { environment_id }: Place): ReturnType<Planner> {
  const { key } = await putFlag(world, environment_id)
  return { params: { env_id: environment_id, key } }
}

async function toNewSegment(world: World, { environment_id }: Place): ReturnType<Planner> {
  const body = newSegment(world)
  await asAdmin(world.server, { path: `/api/environments/${environment_id}/segments`, body })
  return { params: { env_id: environment_id, key: body.key } }
}

const newSegment = ({ newName }: World) => ({ name: 'Segment', key: newName('segment') })
