import type { EndpointName, endpoints } from '@burgee/contract'

type Endpoints = typeof endpoints

/** The endpoints that may change something: all but those with the method GET. */
export type WritingEndpoint = {
  [N in EndpointName]: Endpoints[N]['method'] extends 'GET' ? never : N
}[EndpointName]

/** The endpoints whose responses are cached. Some have a body, and change nothing. */
export type ReadingEndpoint = {
  [N in EndpointName]: Endpoints[N] extends { readonly method: 'GET' } | { readonly changesNothing: true }
    ? N
    : never
}[EndpointName]

type Lists = readonly ReadingEndpoint[]

const AUDIT = [
  'listEnvironmentAudit',
  'listProjectAudit',
  'listWorkspaceAudit',
  'listAuditHeads',
  'listProjectIncident',
  'listIncident',
  'getFlagHistory',
] as const satisfies Lists

const FLAG = [
  'listFlags',
  'getFlag',
  'compareFlags',
  'listStaleFlags',
  'getProjectFlag',
  'getCleanupPlan',
  'checkInvariants',
] as const satisfies Lists

/** Change requests and scheduled changes. */
const REQUESTS = [
  'listChangeRequests',
  'getChangeRequest',
  'listAllChangeRequests',
  'listScheduledChanges',
  'listFlagScheduledChanges',
  'listUserScheduledChanges',
] as const satisfies Lists

const PEOPLE = [
  'listUsers',
  'getUser',
  'listMembers',
  'getMember',
  'listMemberCandidates',
  'getOwnAccess',
  'getCurrentUser',
] as const satisfies Lists

/** Lists that a change of flags or segments reaches, whether it is done or waits for approval. */
const CHANGE: Lists = [
  ...(['listSegments', 'getSegment', 'listUnknownFlags', 'listExceededBounds'] as const),
  ...FLAG,
  ...AUDIT,
  ...REQUESTS,
]

const ENVIRONMENT: Lists = [
  'listEnvironments',
  'getEnvironment',
  'listProjects',
  'listSdkKeys',
  'getOwnAccess',
  'listExceededBounds',
  ...REQUESTS,
  ...FLAG,
  ...AUDIT,
]

/** The lists of the environment itself go with it. */
const GONE_ENVIRONMENT: Lists = [
  'listEnvironments',
  'listProjects',
  'listSdkKeys',
  'getOwnAccess',
  ...(['listMembers', 'listDriftNotes', 'listInvariants', 'checkInvariants', 'listExceededBounds'] as const),
  'listAllChangeRequests',
  'listUserScheduledChanges',
  'compareFlags',
  'listStaleFlags',
  'getProjectFlag',
  'listProjectAudit',
  'listWorkspaceAudit',
  'listAuditHeads',
  'listProjectIncident',
  'listIncident',
]

const PROJECT: Lists = ['listProjects', 'getProject', 'getOwnAccess', 'listExceededBounds', ...AUDIT]

/** The lists of the project itself go with it. */
const GONE_PROJECT: Lists = [
  ...(['listProjects', 'getOwnAccess', 'listAllChangeRequests', 'listUserScheduledChanges'] as const),
  ...(['listUsers', 'getUser', 'listServiceAccounts', 'listGroupMappings'] as const),
  ...AUDIT,
]

/** Users, service accounts and what they may do. */
const ACCESS: Lists = [
  ...PEOPLE,
  'listRoles',
  'getRole',
  'listProjects',
  'getProject',
  'listGroupMappings',
  'listServiceAccounts',
  'listServiceAccountTokens',
  'listUserTokens',
  'listUserSessions',
  'listAccessTokens',
  'listSessions',
  ...REQUESTS,
  ...AUDIT,
]

/** The person's own account. */
const OWN: Lists = [
  ...PEOPLE,
  'listSessions',
  'listAccessTokens',
  'getSecondFactors',
  'getOwnIdentity',
  ...AUDIT,
]

const WORKSPACE: Lists = [
  'getWorkspaceSettings',
  'getScimSettings',
  'getSingleSignOnSettings',
  'getWorkspace',
  'getSignInOptions',
  'getCurrentUser',
  'getSecondFactors',
  'listEnvironments',
  'getEnvironment',
  ...AUDIT,
]

const KEYS: Lists = ['listSdkKeys', 'getSdkKey', 'listEnvironments', 'getEnvironment', ...AUDIT]
const WEBHOOKS: Lists = [
  ...(['listWebhooks', 'getWebhook', 'listWebhookDeliveries', 'listExceededBounds'] as const),
  ...AUDIT,
]
const INTEGRATIONS: Lists = [
  ...(['listIntegrations', 'getIntegration', 'listIntegrationDeliveries', 'listExceededBounds'] as const),
  ...AUDIT,
]
const EXPERIMENTS: Lists = [
  ...(['listExperiments', 'getExperiment', 'getExperimentResults', 'listExceededBounds'] as const),
  ...FLAG,
  ...AUDIT,
]
const INVARIANTS: Lists = ['listInvariants', ...FLAG, ...AUDIT]
const DRIFT_NOTES: Lists = ['listDriftNotes', ...FLAG, ...AUDIT]

/** Lists of what programs have reported. */
const REPORTS: Lists = [
  'getImpressionStats',
  'getImpressionActivity',
  'getExposure',
  'listImpressions',
  'listGoalEventKeys',
  'getExperimentResults',
  'listUnknownFlags',
  'listStaleFlags',
  ...AUDIT,
]

/** Nothing that a page shows: it only computes, it begins a session, or programs call it. */
const NOTHING: Lists = []

/**
 * The reading endpoints whose cached responses are stale after each write. `send` has them read again. A
 * deleted item is not read again itself.
 */
export const STALE: { readonly [W in WritingEndpoint]: Lists } = {
  putFlag: CHANGE,
  patchFlag: CHANGE,
  deleteFlag: CHANGE,
  archiveFlag: CHANGE,
  unarchiveFlag: CHANGE,
  promoteFlag: CHANGE,
  restoreFlag: CHANGE,
  changeFlagsInBulk: CHANGE,
  applyEnvironment: CHANGE,
  revertEnvironment: CHANGE,
  createManifestFlag: CHANGE,
  updateManifestFlag: CHANGE,
  archiveManifestFlag: CHANGE,
  createSegment: CHANGE,
  patchSegment: CHANGE,
  deleteSegment: CHANGE,
  approveChangeRequest: CHANGE,
  rejectChangeRequest: CHANGE,
  cancelChangeRequest: CHANGE,
  commentOnChangeRequest: [...REQUESTS, ...AUDIT],
  createScheduledChange: CHANGE,
  deleteScheduledChange: CHANGE,

  createEnvironment: ENVIRONMENT,
  updateEnvironment: ENVIRONMENT,
  deleteEnvironment: GONE_ENVIRONMENT,
  makeEnvironmentDefault: ENVIRONMENT,
  requireApproval: ENVIRONMENT,
  createProject: PROJECT,
  updateProject: PROJECT,
  deleteProject: GONE_PROJECT,
  updatePreferences: ['getPreferences'],

  addMember: ACCESS,
  updateMember: ACCESS,
  removeMember: ACCESS,
  createRole: ACCESS,
  updateRole: ACCESS,
  deleteRole: ACCESS,
  createGroupMapping: ACCESS,
  deleteGroupMapping: ACCESS,
  createUser: ACCESS,
  updateUser: ACCESS,
  unlockUser: ACCESS,
  disableUser: ACCESS,
  enableUser: ACCESS,
  deleteUser: ACCESS,
  inviteUser: ACCESS,
  createUserLink: ACCESS,
  resetUserFactors: ACCESS,
  unlinkUserIdentity: ACCESS,
  endUserSession: ACCESS,
  endUserSessions: ACCESS,
  revokeUserToken: ACCESS,
  createServiceAccount: ACCESS,
  updateServiceAccount: ACCESS,
  deleteServiceAccount: ACCESS,
  createServiceAccountToken: ACCESS,
  revokeServiceAccountToken: ACCESS,

  updateCurrentUser: OWN,
  confirmOwnEmail: OWN,
  changePassword: OWN,
  createAccessToken: OWN,
  revokeAccessToken: OWN,
  endSession: OWN,
  endOtherSessions: OWN,
  confirmTotp: OWN,
  removeTotp: OWN,
  renewRecoveryCodes: OWN,
  addPasskey: OWN,
  renamePasskey: OWN,
  removePasskey: OWN,
  unlinkOwnIdentity: OWN,

  updateWorkspace: WORKSPACE,
  updateScimSettings: WORKSPACE,
  createScimToken: WORKSPACE,
  deleteScimToken: WORKSPACE,

  createSdkKey: KEYS,
  revokeSdkKey: KEYS,
  createWebhook: WEBHOOKS,
  updateWebhook: WEBHOOKS,
  deleteWebhook: ['listWebhooks', 'listExceededBounds', ...AUDIT],
  redeliverWebhookDelivery: WEBHOOKS,
  createIntegration: INTEGRATIONS,
  updateIntegration: INTEGRATIONS,
  deleteIntegration: ['listIntegrations', 'listExceededBounds', ...AUDIT],
  testIntegration: INTEGRATIONS,

  createExperiment: EXPERIMENTS,
  updateExperiment: EXPERIMENTS,
  deleteExperiment: ['listExperiments', 'listExceededBounds', ...FLAG, ...AUDIT],
  createInvariant: INVARIANTS,
  updateInvariant: INVARIANTS,
  deleteInvariant: INVARIANTS,
  putDriftNote: DRIFT_NOTES,
  deleteDriftNote: DRIFT_NOTES,
  deleteReports: REPORTS,
  deleteSeenUser: REPORTS,
  dismissUnknownFlag: REPORTS,
  putReferences: REPORTS,

  previewFlag: NOTHING,
  previewSegment: NOTHING,
  checkInvariants: NOTHING,
  evaluateEnvironment: NOTHING,
  evaluateHistory: NOTHING,
  findImpact: NOTHING,
  importFiles: NOTHING,

  completeSetup: NOTHING,
  login: NOTHING,
  loginWithSecondFactor: NOTHING,
  startPasskeyLogin: NOTHING,
  loginWithPasskey: NOTHING,
  confirmLink: NOTHING,
  requestPasswordReset: NOTHING,
  readLink: NOTHING,
  redeemLink: NOTHING,
  reauthenticate: NOTHING,
  startPasskeyConfirmation: NOTHING,
  startTotp: NOTHING,
  startPasskey: NOTHING,
  logout: NOTHING,
  logOutAtProvider: NOTHING,

  endProviderSession: NOTHING,
  ingestImpressions: NOTHING,
  ingestGoalEvents: NOTHING,
  acknowledge: NOTHING,
  evaluateFlag: NOTHING,
  evaluateFlags: NOTHING,
}
