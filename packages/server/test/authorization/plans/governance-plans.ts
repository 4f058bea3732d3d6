import type { auditEndpoints, changeRequestEndpoints, scheduledChangeEndpoints } from '@burgee/contract'
import { asAdmin, type Place, putFlag, type World } from '../world.ts'
import type { Planners } from './plan.ts'

/** A time so far ahead that nothing runs during the test. */
const FAR_AHEAD = '2199-01-01T00:00:00Z'
const PATCH = { is_enabled: false }

export const AUDIT_PLANS: Planners<typeof auditEndpoints> = {
  listEnvironmentAudit: async (_world, { environment_id }) => ({ params: { env_id: environment_id } }),
  listWorkspaceAudit: async () => ({}),
  listAuditHeads: async () => ({}),
  verifyAudit: async () => ({}),
  verifyProjectAudit: async (_world, { project_id }) => ({ params: { project_id } }),
  listProjectAudit: async (_world, { project_id }) => ({ params: { project_id } }),
}

export const CHANGE_REQUEST_PLANS: Planners<typeof changeRequestEndpoints> = {
  listChangeRequests: async (_world, { environment_id }) => ({ params: { env_id: environment_id } }),
  getChangeRequest: async (world, place) => toChangeRequest(world, place, SOMEBODY_ELSE),
  approveChangeRequest: async (world, place) => toChangeRequest(world, place, SOMEBODY_ELSE),
  rejectChangeRequest: async (world, place) => toChangeRequest(world, place, SOMEBODY_ELSE),
  commentOnChangeRequest: async (world, place) => ({
    ...(await toChangeRequest(world, place, SOMEBODY_ELSE)),
    body: { text: 'Is it tested?' },
  }),
  listAllChangeRequests: async () => ({}),
  cancelChangeRequest: async (world, place, { identity }) => toChangeRequest(world, place, identity),
}

export const SCHEDULED_CHANGE_PLANS: Planners<typeof scheduledChangeEndpoints> = {
  listScheduledChanges: async (_world, { environment_id }) => ({ params: { env_id: environment_id } }),
  listFlagScheduledChanges: async (world, { environment_id }) => {
    const { key } = await putFlag(world, environment_id)
    return { params: { env_id: environment_id, key } }
  },
  createScheduledChange: async (world, { environment_id }) => {
    const { key } = await putFlag(world, environment_id)
    return { params: { env_id: environment_id, key }, body: { scheduled_at: FAR_AHEAD, patch: PATCH } }
  },
  deleteScheduledChange: async (world, { environment_id }) => {
    const { key } = await putFlag(world, environment_id)
    const path = `/api/environments/${environment_id}/flags/${key}/scheduled-changes`
    const body = { scheduled_at: FAR_AHEAD, patch: PATCH }
    const { id } = await asAdmin(world.server, { path, body })
    return { params: { env_id: environment_id, id } }
  },
}

const SOMEBODY_ELSE = 'user:0'

/** Inserts a pending request of the given requester, as if the environment required approval. */
async function toChangeRequest(world: World, { environment_id }: Place, requester: string) {
  const flag = await putFlag(world, environment_id)
  const { id } = await world.server.database.db
    .insertInto('change_requests')
    .values({
      environment_id,
      flag_key: flag.key,
      operation: 'patch',
      patch: JSON.stringify(PATCH),
      body: JSON.stringify({ operation: 'patch', patch: PATCH }),
      scheduled_at: null,
      requested_by: 'somebody@example.com',
      requester,
      reviewed_by: null,
      reason: null,
      base_flag: JSON.stringify(flag),
      created_at: new Date().toISOString(),
      reviewed_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { params: { env_id: environment_id, id } }
}
