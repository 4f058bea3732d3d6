import type {
  environmentEndpoints,
  ofrepEndpoints,
  projectEndpoints,
  sdkKeyEndpoints,
  setupEndpoints,
  streamEndpoints,
  systemEndpoints,
} from '@burgee/contract'
import { asAdmin, createKey, type Place, type World } from '../world.ts'
import type { Planners } from './plan.ts'

export const SYSTEM_PLANS: Planners<typeof systemEndpoints> = {
  getHealth: async () => ({}),
  getReadiness: async () => ({}),
  getMetrics: async () => ({}),
  getOpenApi: async () => ({}),
  getApiDocs: async () => ({}),
  getApplySchema: async () => ({}),
}

export const SETUP_PLANS: Planners<typeof setupEndpoints> = {
  getSetup: async () => ({}),
  completeSetup: async () => ({
    body: {
      workspace_name: 'Again',
      project_name: 'Again',
      admin: { name: 'Eve', email: 'eve@example.com', password: 'a long password' },
    },
  }),
}

export const STREAM_PLANS: Planners<typeof streamEndpoints> = {
  openStream: async () => ({}),
  getSnapshot: async () => ({}),
}

export const OFREP_PLANS: Planners<typeof ofrepEndpoints> = {
  evaluateFlag: async ({ server }, _place, { sees }) => {
    for (const id of sees.environmentIds) {
      await asAdmin(server, {
        path: `/api/environments/${id}/flags`,
        body: { key: 'remote', is_enabled: true },
      })
    }
    return { params: { key: 'remote' }, body: {} }
  },
  evaluateFlags: async () => ({ body: { context: { targetingKey: 'user-1' } } }),
  openEvents: async () => ({}),
}

export const PROJECT_PLANS: Planners<typeof projectEndpoints> = {
  listProjects: async () => ({}),
  getProject: async (_world, { project_id }) => ({ params: { project_id } }),
  createProject: async ({ newName }) => ({ body: { name: newName('project') } }),
  updateProject: async ({ newName }, { project_id }) => ({
    params: { project_id },
    body: { name: newName('renamed') },
  }),
  deleteProject: async (world, place, { user_id }) => ({
    params: { project_id: user_id === null ? place.project_id : await newProjectLike(world, place) },
  }),
}

export const ENVIRONMENT_PLANS: Planners<typeof environmentEndpoints> = {
  listEnvironments: async (_world, { project_id }) => ({ params: { project_id } }),
  getEnvironment: async (_world, { environment_id, project_id }) => ({
    params: { project_id, env_id: environment_id },
  }),
  createEnvironment: async (world, { project_id }) => ({
    params: { project_id },
    body: newEnvironment(world),
  }),
  updateEnvironment: async ({ newName }, { environment_id, project_id }) => ({
    params: { project_id, env_id: environment_id },
    body: { name: newName('renamed') },
  }),
  deleteEnvironment: async (world, { environment_id, project_id }, { user_id }) => {
    if (user_id === null) return { params: { project_id, env_id: environment_id } }
    const body = newEnvironment(world)
    const { id } = await asAdmin(world.server, { path: `/api/projects/${project_id}/environments`, body })
    return { params: { project_id, env_id: id } }
  },
  // It already is the default: another default would be another `legacy`.
  makeEnvironmentDefault: async (_world, { environment_id, project_id }) => ({
    params: { project_id, env_id: environment_id },
  }),
  requireApproval: async (_world, { environment_id, project_id }) => ({
    params: { project_id, env_id: environment_id },
    body: { require_approval: false },
  }),
  getConnections: async (_world, { environment_id }) => ({ params: { env_id: environment_id } }),
}

export const SDK_KEY_PLANS: Planners<typeof sdkKeyEndpoints> = {
  listSdkKeys: async (_world, { project_id }) => ({ params: { project_id } }),
  getSdkKey: async (world, place) => {
    const { id } = await createKey(world, place)
    return { params: { project_id: place.project_id, id } }
  },
  createSdkKey: async ({ newName }, { environment_id, project_id }) => ({
    params: { project_id },
    body: { name: newName('key'), environment_id },
  }),
  revokeSdkKey: async (world, place) => {
    const { id } = await createKey(world, place)
    return { params: { project_id: place.project_id, id } }
  },
}

const newEnvironment = ({ newName }: World) => ({
  name: newName('Environment'),
  slug: newName('environment'),
})

/** Creates another project with the members of the given one, in their roles. */
async function newProjectLike({ newName, server }: World, { project_id }: Place): Promise<string> {
  const { id } = await asAdmin(server, { path: '/api/projects', body: { name: newName('project') } })
  const { db } = server.database
  const members = await db
    .selectFrom('project_members')
    .select(['user_id', 'role'])
    .where('project_id', '=', project_id)
    .execute()
  await db
    .insertInto('project_members')
    .values(members.map((member) => ({ ...member, project_id: id })))
    .execute()
  return id
}
