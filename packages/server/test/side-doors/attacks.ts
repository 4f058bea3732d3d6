import { BULK_ACTIONS, type endpoints } from '@burgee/contract'
import type { Caller } from '../authorization/caller.ts'
import type { Plan } from '../authorization/plans/plan.ts'
import { asAdmin, type Place, type World } from '../authorization/world.ts'
import { PROTECTED, type Protected, RULE } from './protected-flags.ts'

/** A valid request that would change a protected flag for SDKs if it were allowed. */
export interface Attack extends Plan {
  /** The statuses that refuse it, beyond 202, 403 and, without a credential, 401. */
  readonly closedBy?: readonly number[]
  /** Restores what the request may have changed beside the flags. */
  readonly restore?: () => Promise<unknown>
}

/** Returns attacks on `place.environment_id`; promotions come from `otherEnvironmentId`. */
type Attacker = (world: World, place: Place, caller: Caller) => Promise<readonly Attack[]>

/**
 * Marks an endpoint that cannot name a flag, a segment or the setting. Its ordinary request is sent
 * nevertheless.
 */
export const REACHES_NOTHING = 'reaches nothing'

/** The attacks of each endpoint of the contract on the protected flags. */
type SideDoors = { readonly [Name in keyof typeof endpoints]: Attacker | typeof REACHES_NOTHING }

const LONG_AGO = '2020-01-01T00:00:00Z'
const none = REACHES_NOTHING

const onEach =
  (toAttack: (key: Protected, place: Place) => Omit<Attack, 'params'>): Attacker =>
  async (_world, place) =>
    PROTECTED.map((key) => ({ ...toAttack(key, place), params: { env_id: place.environment_id, key } }))

const inPlace =
  (...bodies: readonly object[]): Attacker =>
  async (_world, { environment_id }) =>
    bodies.map((body) => ({ params: { env_id: environment_id }, body }))

const onSegments =
  (...requests: readonly (readonly [key: string, body?: object])[]): Attacker =>
  async (_world, { environment_id }) =>
    requests.map(([key, body]) => ({ params: { env_id: environment_id, key }, ...(body && { body }) }))

export const SIDE_DOORS: SideDoors = {
  putFlag: inPlace(...PROTECTED.map((key) => ({ key, is_enabled: false }))),
  // It only describes the effect.
  previewFlag: async (_world, { environment_id }) =>
    PROTECTED.map((key) => ({
      params: { env_id: environment_id },
      body: { key, is_enabled: false },
      closedBy: [200],
    })),
  patchFlag: async (_world, { environment_id }) =>
    [...PROTECTED].flatMap((key) =>
      [{ is_enabled: false, rules: null }, { archived_at: key === 'gone' ? null : LONG_AGO }].map((body) => ({
        params: { env_id: environment_id, key },
        body,
      })),
    ),
  deleteFlag: onEach(() => ({})),
  archiveFlag: onEach(() => ({})),
  unarchiveFlag: onEach(() => ({})),
  promoteFlag: async (_world, { environment_id, otherEnvironmentId }) =>
    PROTECTED.flatMap((key) =>
      [true, false].map((copy_segments) => ({
        params: { env_id: otherEnvironmentId, key },
        body: { target_env_id: environment_id, copy_segments },
      })),
    ),
  restoreFlag: async ({ server }, { environment_id }) =>
    Promise.all(
      PROTECTED.map(async (key) => {
        const path = `/api/environments/${environment_id}/flags/${key}/history`
        const history: { revision: number }[] = await asAdmin(server, { path })
        return { params: { env_id: environment_id, key }, body: { revision: history.at(-1)?.revision } }
      }),
    ),
  changeFlagsInBulk: inPlace(
    ...BULK_ACTIONS.map((action) => ({ keys: PROTECTED, action, tags: ['kept', 'new'] })),
  ),
  applyEnvironment: async (_world, { environment_id }) =>
    [
      { flags: PROTECTED.map((key) => ({ key, is_enabled: false, rules: null })) },
      { segments: [{ key: 'inner', rules: null }] },
      { segments: [{ key: 'ghost', name: 'Ghost', rules: [RULE] }] },
    ].map((body) => ({ params: { env_id: environment_id }, body, closedBy: [422] })),
  revertEnvironment: async ({ server }, { environment_id }) =>
    Promise.all(
      PROTECTED.map(async (key) => {
        const entries = await asAdmin(server, {
          path: `/api/environments/${environment_id}/audit?flag_key=${key}`,
        })
        const audit_ids = entries.slice(0, 1).map(({ id }: { id: number }) => id)
        return { params: { env_id: environment_id }, body: { audit_ids }, closedBy: [409, 422] }
      }),
    ),
  createScheduledChange: onEach(() => ({ body: { scheduled_at: LONG_AGO, patch: { is_enabled: false } } })),
  deleteScheduledChange: none,

  createSegment: inPlace({ name: 'Ghost', key: 'ghost', rules: [RULE] }),
  patchSegment: onSegments(
    ['outer', { rules: [RULE, RULE] }],
    ['inner', { rules: null }],
    ['inner', { rules: [{ ...RULE, values: ['free'] }] }],
    ['outer', { key: 'without' }],
    ['spare', { key: 'ghost' }],
    ['inner', { key: 'within' }],
  ),
  deleteSegment: onSegments(['outer'], ['inner']),
  // It says what would be, and does nothing.
  previewSegment: async (_world, { environment_id }) =>
    ['outer', 'inner'].map((key) => ({
      params: { env_id: environment_id },
      body: { key, patch: null },
      closedBy: [200],
    })),

  // A request of the caller: another one's would be an approval. A key can approve none.
  approveChangeRequest: async (world, place, { identity, user_id }) => [
    await openRequest(world, place, user_id === null ? 'user:0' : identity),
    await openRequest(world, place, identity),
  ],
  rejectChangeRequest: async (world, place) => [
    { ...(await openRequest(world, place, 'user:0')), closedBy: [204] },
  ],
  // A comment changes neither the flag nor the request's decision.
  commentOnChangeRequest: none,
  listAllChangeRequests: none,
  cancelChangeRequest: async (world, place, { identity }) => [
    { ...(await openRequest(world, place, identity)), closedBy: [204] },
  ],

  requireApproval: async ({ server }, { environment_id, project_id }) =>
    [{ require_approval: false }, { require_approval: true, approval_scope: 'patch' }].map((body) => ({
      params: { project_id, env_id: environment_id },
      body,
      // Without the setting the flag is only a PATCH away.
      restore: () =>
        server.call({
          method: 'PATCH',
          path: `/api/environments/${environment_id}/flags/plain`,
          body: { is_enabled: false },
        }),
    })),
  // This endpoint does not write the setting.
  updateEnvironment: async (_world, { environment_id, project_id }) => [
    {
      params: { project_id, env_id: environment_id },
      body: { color: '#123456', require_approval: false, approval_scope: 'patch' },
      closedBy: [200],
    },
  ],
  // The default cannot be deleted, so another one is made the default first.
  deleteEnvironment: async ({ server }, { environment_id, otherEnvironmentId, project_id }) => {
    const makeDefault = (id: string) => ({
      method: 'POST',
      path: `/api/projects/${project_id}/environments/${id}/default`,
    })
    await asAdmin(server, makeDefault(otherEnvironmentId))
    return [
      {
        params: { project_id, env_id: environment_id },
        restore: () => server.call(makeDefault(environment_id)),
      },
    ]
  },
  makeEnvironmentDefault: async ({ server }, { environment_id, otherEnvironmentId, project_id }) => [
    {
      params: { project_id, env_id: otherEnvironmentId },
      closedBy: [200],
      restore: () =>
        server.call({
          method: 'POST',
          path: `/api/projects/${project_id}/environments/${environment_id}/default`,
        }),
    },
  ],
  deleteProject: async (_world, { project_id }) => [{ params: { project_id } }],

  getHealth: none,
  getReadiness: none,
  getMetrics: none,
  getOpenApi: none,
  getApiDocs: none,
  getApplySchema: none,
  getSetup: none,
  completeSetup: none,
  login: none,
  logout: none,
  getCurrentUser: none,
  updateCurrentUser: none,
  confirmOwnEmail: none,
  getPreferences: none,
  updatePreferences: none,
  changePassword: none,
  listSessions: none,
  endSession: none,
  endOtherSessions: none,
  listUserSessions: none,
  endUserSession: none,
  endUserSessions: none,
  listUserTokens: none,
  revokeUserToken: none,
  disableUser: none,
  inviteUser: none,
  createUserLink: none,
  readLink: none,
  redeemLink: none,
  requestPasswordReset: none,
  enableUser: none,
  listUserScheduledChanges: none,
  reauthenticate: none,
  loginWithSecondFactor: none,
  getSecondFactors: none,
  startTotp: none,
  confirmTotp: none,
  removeTotp: none,
  renewRecoveryCodes: none,
  resetUserFactors: none,
  startPasskey: none,
  addPasskey: none,
  renamePasskey: none,
  removePasskey: none,
  startPasskeyLogin: none,
  loginWithPasskey: none,
  startPasskeyConfirmation: none,
  updateWorkspace: none,
  getWorkspaceSettings: none,
  getWorkspace: none,
  getSignInOptions: none,
  startSingleSignOn: none,
  completeSingleSignOn: none,
  getPendingLink: none,
  confirmLink: none,
  logOutAtProvider: none,
  endProviderSession: none,
  getOwnIdentity: none,
  unlinkOwnIdentity: none,
  unlinkUserIdentity: none,
  getSingleSignOnSettings: none,
  listGroupMappings: none,
  createGroupMapping: none,
  deleteGroupMapping: none,
  getScimSettings: none,
  updateScimSettings: none,
  createScimToken: none,
  deleteScimToken: none,
  listUsers: none,
  getUser: none,
  createUser: none,
  updateUser: none,
  unlockUser: none,
  deleteUser: none,
  listAccessTokens: none,
  createAccessToken: none,
  revokeAccessToken: none,
  listServiceAccounts: none,
  createServiceAccount: none,
  updateServiceAccount: none,
  deleteServiceAccount: none,
  listServiceAccountTokens: none,
  createServiceAccountToken: none,
  revokeServiceAccountToken: none,
  listProjects: none,
  getProject: none,
  createProject: none,
  updateProject: none,
  listMembers: none,
  getMember: none,
  listMemberCandidates: none,
  addMember: none,
  updateMember: none,
  removeMember: none,
  listRoles: none,
  getRole: none,
  createRole: none,
  updateRole: none,
  deleteRole: none,
  getOwnAccess: none,
  listEnvironments: none,
  getEnvironment: none,
  createEnvironment: none,
  getConnections: none,
  listSdkKeys: none,
  getSdkKey: none,
  createSdkKey: none,
  revokeSdkKey: none,
  listFlags: none,
  getFlag: none,
  getFlagHistory: none,
  compareFlags: none,
  listSegments: none,
  getSegment: none,
  listChangeRequests: none,
  getChangeRequest: none,
  listScheduledChanges: none,
  listFlagScheduledChanges: none,
  listExperiments: none,
  getExperiment: none,
  createExperiment: none,
  updateExperiment: none,
  deleteExperiment: none,
  getExperimentResults: none,
  ingestImpressions: none,
  deleteReports: none,
  deleteSeenUser: none,
  acknowledge: none,
  listUnknownFlags: none,
  dismissUnknownFlag: none,
  getPropagation: none,
  listClients: none,
  listImpressions: none,
  getImpressionStats: none,
  getExposure: none,
  getImpressionActivity: none,
  ingestGoalEvents: none,
  listGoalEventKeys: none,
  listEnvironmentAudit: none,
  listProjectAudit: none,
  listWorkspaceAudit: none,
  listProjectIncident: none,
  listIncident: none,
  listAuditHeads: none,
  verifyAudit: none,
  verifyProjectAudit: none,
  listWebhooks: none,
  getWebhook: none,
  createWebhook: none,
  updateWebhook: none,
  deleteWebhook: none,
  listWebhookDeliveries: none,
  redeliverWebhookDelivery: none,
  listIntegrations: none,
  getIntegration: none,
  createIntegration: none,
  updateIntegration: none,
  deleteIntegration: none,
  testIntegration: none,
  listIntegrationDeliveries: none,
  openStream: none,
  getSnapshot: none,
  listStaleFlags: none,
  getProjectFlag: none,
  getCleanupPlan: none,
  putReferences: none,
  listDriftNotes: none,
  putDriftNote: none,
  deleteDriftNote: none,
  listExceededBounds: none,
  listInvariants: none,
  createInvariant: none,
  checkInvariants: none,
  updateInvariant: none,
  deleteInvariant: none,
  evaluateEnvironment: none,
  findImpact: none,
  evaluateHistory: none,
  getTypes: none,
  getManifest: none,
  createManifestFlag: async (_world, { environment_id }) =>
    PROTECTED.map((key) => ({
      query: { environment_id },
      body: { key, type: 'boolean', defaultValue: false },
      closedBy: [409],
    })),
  updateManifestFlag: async (_world, { environment_id }) =>
    PROTECTED.map((key) => ({
      params: { key },
      query: { environment_id },
      body: { key, type: 'boolean', defaultValue: true },
      closedBy: [409],
    })),
  archiveManifestFlag: async (_world, { environment_id }) =>
    PROTECTED.map((key) => ({ params: { key }, query: { environment_id }, closedBy: [409] })),
  importFiles: none,
  evaluateFlag: none,
  evaluateFlags: none,
  openEvents: none,
}

/** Creates a pending request to disable `plain`. */
async function openRequest({ server }: World, { environment_id }: Place, requester: string): Promise<Attack> {
  const path = `/api/environments/${environment_id}/flags/plain`
  const flag = await asAdmin(server, { path })
  const patch = { is_enabled: false }
  const { id } = await server.database.db
    .insertInto('change_requests')
    .values({
      environment_id,
      flag_key: 'plain',
      operation: 'patch',
      patch: JSON.stringify(patch),
      body: JSON.stringify({ operation: 'patch', patch }),
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
