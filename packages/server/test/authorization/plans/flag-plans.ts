import type {
  applyEndpoints,
  driftNoteEndpoints,
  evaluateEndpoints,
  exceededBoundEndpoints,
  flagEndpoints,
  importEndpoints,
  incidentEndpoints,
  invariantEndpoints,
  lifecycleEndpoints,
  manifestEndpoints,
  revertEndpoints,
  segmentEndpoints,
} from '@burgee/contract'
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

export const REVERT_PLANS: Planners<typeof revertEndpoints> = {
  revertEnvironment: async (world, { environment_id }) => {
    const { key } = await putFlag(world, environment_id)
    const path = `/api/environments/${environment_id}/audit?flag_key=${key}`
    const [{ id }] = await asAdmin(world.server, { path })
    return { params: { env_id: environment_id }, body: { audit_ids: [id] } }
  },
}

const LONG_AGO = '2020-01-01T00:00:00Z'
export const INCIDENT_PLANS: Planners<typeof incidentEndpoints> = {
  listProjectIncident: async (_world, { project_id }) => ({
    params: { project_id },
    query: { from: LONG_AGO },
  }),
  listIncident: async () => ({ query: { from: LONG_AGO } }),
}

export const EVALUATE_PLANS: Planners<typeof evaluateEndpoints> = {
  evaluateEnvironment: async (_world, { environment_id }) => ({
    params: { env_id: environment_id },
    body: { user_key: 'ann' },
  }),
  evaluateHistory: async (_world, { environment_id }) => ({
    params: { env_id: environment_id },
    body: { user_key: 'ann', from: new Date().toISOString() },
  }),
  findImpact: async (_world, { environment_id }) => ({
    params: { env_id: environment_id },
    body: { changes: [{ segment_key: 'unborn', patch: { name: 'Unborn' } }], users: [] },
  }),
}

export const MANIFEST_PLANS: Planners<typeof manifestEndpoints> = {
  getTypes: async (_world, { environment_id }) => ({ params: { env_id: environment_id } }),
  getManifest: async (_world, { environment_id }) => ({ query: { environment_id } }),
  createManifestFlag: async ({ newName }, { environment_id }) => ({
    query: { environment_id },
    body: { key: newName('manifest'), type: 'boolean', defaultValue: false },
  }),
  updateManifestFlag: async (world, place) => {
    const { params, query } = await toManifestFlag(world, place)
    return { params, query, body: { key: params.key, type: 'boolean' } }
  },
  archiveManifestFlag: toManifestFlag,
}

async function toManifestFlag(world: World, { environment_id }: Place) {
  const { key } = await putFlag(world, environment_id)
  return { params: { key }, query: { environment_id } }
}

const FLAGD_FILE = JSON.stringify({
  flags: { on: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' } },
})

export const IMPORT_PLANS: Planners<typeof importEndpoints> = {
  importFiles: async (_world, { project_id }) => ({
    params: { project_id },
    body: { system: 'flagd', files: [{ name: 'flags.json', content: FLAGD_FILE }] },
  }),
}

export const LIFECYCLE_PLANS: Planners<typeof lifecycleEndpoints> = {
  listStaleFlags: async (_world, { project_id }) => ({ params: { project_id } }),
  getProjectFlag: toProjectFlag,
  getCleanupPlan: toProjectFlag,
  putReferences: async ({ newName }, { project_id }) => ({
    params: { project_id, repo: newName('repo') },
    body: { commit: 'c1', branch: 'main', references: [] },
  }),
}

async function toProjectFlag(world: World, { environment_id, project_id }: Place) {
  const { key } = await putFlag(world, environment_id)
  return { params: { project_id, key } }
}

const DRIFT_NOTE = {
  source: 'staging',
  target: 'production',
  reason: 'A trial',
  owner_email: 'ann@example.com',
}

export const DRIFT_NOTE_PLANS: Planners<typeof driftNoteEndpoints> = {
  listDriftNotes: async (_world, { project_id }) => ({ params: { project_id } }),
  putDriftNote: async ({ newName }, { project_id }) => ({
    params: { project_id, flag_key: newName('flag') },
    body: DRIFT_NOTE,
  }),
  deleteDriftNote: async ({ newName, server }, { project_id }) => {
    const flag_key = newName('flag')
    const path = `/api/projects/${project_id}/drift-notes/${flag_key}`
    await asAdmin(server, { method: 'PUT', path, body: DRIFT_NOTE })
    return { params: { project_id, flag_key } }
  },
}

export const EXCEEDED_BOUND_PLANS: Planners<typeof exceededBoundEndpoints> = {
  listExceededBounds: async (_world, { project_id }) => ({ params: { project_id } }),
}

export const INVARIANT_PLANS: Planners<typeof invariantEndpoints> = {
  listInvariants: async (_world, { project_id }) => ({ params: { project_id } }),
  createInvariant: async ({ newName }, { project_id }) => ({
    params: { project_id },
    body: { key: newName('invariant'), flag: 'none', never: ['x'] },
  }),
  checkInvariants: async (_world, { environment_id, project_id }) => ({
    params: { project_id },
    body: { environment_id },
  }),
  updateInvariant: async (world, place) => ({
    ...(await toInvariant(world, place)),
    body: { description: 'Why' },
  }),
  deleteInvariant: toInvariant,
}

async function toInvariant({ newName, server }: World, { project_id }: Place) {
  const key = newName('invariant')
  const path = `/api/projects/${project_id}/invariants`
  await asAdmin(server, { path, body: { key, flag: 'none', never: ['x'] } })
  return { params: { project_id, key } }
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
