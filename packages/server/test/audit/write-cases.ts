import type { AuditEntry, endpoints } from '@burgee/contract'
import type { Plan } from '../authorization/plans/plan.ts'

type Endpoints = typeof endpoints
type WriteName = {
  [Name in keyof Endpoints]: Endpoints[Name]['method'] extends 'GET' ? never : Name
}[keyof Endpoints]

/** The expected audit entry of a write. */
interface AuditedCase {
  readonly action: AuditEntry['action']
  readonly origin: 'direct' | 'change_request' | 'promote' | 'apply' | 'revert'
  /** The scope of the entry. */
  readonly place: 'workspace' | 'project' | 'environment' | 'other environment'
  /** The `metadata.resource` of anything except flags. */
  readonly resource?: (done: Done) => string
  /** The flag of the entry. */
  readonly flag_key?: (done: Done) => unknown
  /** The states that the entry has. */
  readonly holds: 'before' | 'after' | 'both' | 'neither'
}

/** A sent request with its response. */
export interface Done {
  readonly plan: Plan
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  readonly sent: any
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly body: any
  readonly senderId: number | null
}

const direct = { origin: 'direct' } as const
const inWorkspace = { ...direct, place: 'workspace' } as const
const inProject = { ...direct, place: 'project' } as const
const inEnvironment = { ...direct, place: 'environment' } as const

const creates = { action: 'create', holds: 'after' } as const
const updates = { action: 'update', holds: 'both' } as const
const deletes = { action: 'delete', holds: 'before' } as const

const answered = (noun: string) => ({ resource: ({ body }: Done) => `${noun}:${body.id}` })
const addressed = (noun: string, param = 'id') => ({
  resource: ({ plan }: Done) => `${noun}:${plan.params?.[param]}`,
})
const flag = { flag_key: ({ plan }: Done) => plan.params?.key }
const segment = { resource: ({ plan }: Done) => `segment:${plan.params?.key}` }
const experiment = { resource: ({ plan }: Done) => `experiment:${plan.params?.key}` }
/**
 * A key for requests and schedules, which have ids: where the response does not name the flag, any key is
 * accepted.
 */
export const ANY_FLAG = Symbol('any flag')
const decided = { flag_key: ({ body }: Done) => body?.key ?? ANY_FLAG }

/** A write of the sender's own secrets. */
const ofSender = {
  ...inWorkspace,
  action: 'update',
  holds: 'neither',
  resource: ({ senderId }: Done) => `user:${senderId}`,
} as const

/** Writes of the contract that leave no entry here, with the reason. */
export const NOT_AUDITED = {
  completeSetup: 'there is no actor yet; its entries are tested with the set-up',
  login: 'opens a session and changes nothing',
  updatePreferences: "changes nothing but the caller's own view",
  loginWithSecondFactor: 'opens a session and changes nothing',
  startPasskey: 'has no effect until the passkey is added, which has an entry',
  startPasskeyLogin: 'returns a challenge and changes nothing',
  startPasskeyConfirmation: 'returns a challenge and changes nothing',
  loginWithPasskey: 'there is no actor yet; its entry is tested with the passkeys',
  startTotp: 'has no effect until the confirmation, which has an entry',
  logout: 'ends a session and changes nothing',
  readLink: 'says what a link is for and changes nothing',
  redeemLink: 'there is no actor; its entry is tested with the links',
  requestPasswordReset: 'there is no actor; its entry is tested with the links',
  reauthenticate: 'confirms a session and changes nothing',
  confirmLink: 'without an identity provider there is nothing to link; its entries are tested with it',
  endProviderSession: 'ends sessions and changes nothing',
  logOutAtProvider: 'ends a session and changes nothing',
  confirmOwnEmail: 'without an address that SCIM changed it changes nothing; its entry is tested with SCIM',
  unlinkOwnIdentity: 'without a link it changes nothing; its entries are tested with a provider',
  unlinkUserIdentity: 'without a link it changes nothing; its entries are tested with a provider',
  previewFlag: 'returns the effects of a write and changes nothing',
  previewSegment: 'returns the effects of a write and changes nothing',
  ingestImpressions: 'reports of SDKs are not changes',
  ingestGoalEvents: 'reports of SDKs are not changes',
  acknowledge: 'reports of SDKs are not changes',
  evaluateEnvironment: 'evaluates and changes nothing',
  findImpact: 'evaluates and changes nothing',
  evaluateHistory: 'evaluates and changes nothing',
  checkInvariants: 'decides and changes nothing',
  importFiles: 'translates files and changes nothing',
  evaluateFlag: 'evaluates and changes nothing',
  evaluateFlags: 'evaluates and changes nothing',
} as const

/** One case for each other write of the contract. */
export const AUDITED: Readonly<Record<Exclude<WriteName, keyof typeof NOT_AUDITED>, AuditedCase>> = {
  changePassword: ofSender,
  confirmTotp: ofSender,
  removeTotp: ofSender,
  renewRecoveryCodes: ofSender,
  addPasskey: ofSender,
  renamePasskey: { ...ofSender, holds: 'both' },
  removePasskey: ofSender,
  resetUserFactors: { ...inWorkspace, action: 'update', holds: 'neither', ...addressed('user') },
  updateWorkspace: { ...inWorkspace, ...updates, resource: () => 'workspace' },
  createUser: { ...inWorkspace, ...creates, ...answered('user') },
  updateCurrentUser: { ...inWorkspace, ...updates, resource: ({ senderId }) => `user:${senderId}` },
  updateUser: { ...inWorkspace, ...updates, ...addressed('user') },
  unlockUser: { ...inWorkspace, ...updates, ...addressed('user') },
  inviteUser: { ...inWorkspace, ...creates, resource: ({ body }) => `user:${body.user.id}` },
  createUserLink: { ...inWorkspace, action: 'update', holds: 'neither', ...addressed('user') },
  disableUser: { ...inWorkspace, ...updates, ...addressed('user') },
  enableUser: { ...inWorkspace, ...updates, ...addressed('user') },
  endSession: { ...inWorkspace, ...deletes, ...addressed('session') },
  endOtherSessions: {
    ...inWorkspace,
    action: 'update',
    holds: 'neither',
    resource: ({ senderId }) => `user:${senderId}`,
  },
  endUserSession: { ...inWorkspace, ...deletes, ...addressed('session', 'session_id') },
  endUserSessions: { ...inWorkspace, action: 'update', holds: 'neither', ...addressed('user') },
  revokeUserToken: { ...inWorkspace, ...deletes, ...addressed('access_token', 'token_id') },
  deleteUser: { ...inWorkspace, ...deletes, ...addressed('user') },
  createAccessToken: { ...inWorkspace, ...creates, ...answered('access_token') },
  revokeAccessToken: { ...inWorkspace, ...deletes, ...addressed('access_token') },
  createServiceAccount: { ...inWorkspace, ...creates, ...answered('service_account') },
  updateServiceAccount: { ...inWorkspace, ...updates, ...addressed('service_account') },
  deleteServiceAccount: { ...inWorkspace, ...deletes, ...addressed('service_account') },
  createServiceAccountToken: { ...inWorkspace, ...creates, ...answered('access_token') },
  revokeServiceAccountToken: { ...inWorkspace, ...deletes, ...addressed('access_token', 'token_id') },
  createGroupMapping: { ...inWorkspace, ...creates, ...answered('group_mapping') },
  deleteGroupMapping: { ...inWorkspace, ...deletes, ...addressed('group_mapping') },
  updateScimSettings: { ...inWorkspace, ...updates, resource: () => 'scim' },
  createScimToken: { ...inWorkspace, ...creates, resource: () => 'scim_token' },
  deleteScimToken: { ...inWorkspace, ...deletes, resource: () => 'scim_token' },
  createProject: { ...inProject, ...creates, ...answered('project') },
  updateProject: { ...inProject, ...updates, ...addressed('project', 'project_id') },
  deleteProject: { ...inProject, ...deletes, ...addressed('project', 'project_id') },
  addMember: { ...inProject, ...creates, resource: ({ sent }) => `member:${sent.user_id}` },
  updateMember: { ...inProject, ...updates, ...addressed('member', 'user_id') },
  removeMember: { ...inProject, ...deletes, ...addressed('member', 'user_id') },
  createRole: { ...inWorkspace, ...creates, resource: ({ sent }) => `role:${sent.key}` },
  updateRole: { ...inWorkspace, ...updates, ...addressed('role', 'key') },
  deleteRole: { ...inWorkspace, ...deletes, ...addressed('role', 'key') },
  createEnvironment: { ...inEnvironment, ...creates, ...answered('environment') },
  updateEnvironment: { ...inEnvironment, ...updates, ...addressed('environment', 'env_id') },
  deleteEnvironment: { ...inEnvironment, ...deletes, ...addressed('environment', 'env_id') },
  makeEnvironmentDefault: { ...inEnvironment, ...updates, ...addressed('environment', 'env_id') },
  requireApproval: { ...inEnvironment, ...updates, ...addressed('environment', 'env_id') },
  createSdkKey: { ...inEnvironment, ...creates, ...answered('sdk_key') },
  revokeSdkKey: { ...inEnvironment, ...deletes, ...addressed('sdk_key') },
  putFlag: { ...inEnvironment, ...creates, flag_key: ({ sent }) => sent.key },
  patchFlag: { ...inEnvironment, ...updates, ...flag },
  deleteFlag: { ...inEnvironment, ...deletes, ...flag },
  archiveFlag: { ...inEnvironment, action: 'archive', holds: 'both', ...flag },
  unarchiveFlag: { ...inEnvironment, action: 'unarchive', holds: 'both', ...flag },
  promoteFlag: { action: 'promote', origin: 'promote', place: 'other environment', holds: 'after', ...flag },
  restoreFlag: { ...inEnvironment, action: 'restore', holds: 'both', ...flag },
  changeFlagsInBulk: { ...inEnvironment, ...updates, flag_key: ({ sent }) => sent.keys[0] },
  applyEnvironment: {
    ...{ ...inEnvironment, ...updates, origin: 'apply' },
    flag_key: ({ sent }) => sent.flags[0].key,
  },
  revertEnvironment: {
    ...{ ...inEnvironment, action: 'restore', holds: 'both', origin: 'revert' },
    flag_key: ({ body }) => body.changes[0].key,
  },
  putDriftNote: { ...inProject, ...creates, ...addressed('drift_note', 'flag_key') },
  deleteDriftNote: { ...inProject, ...deletes, ...addressed('drift_note', 'flag_key') },
  createInvariant: { ...inProject, ...creates, resource: ({ sent }) => `invariant:${sent.key}` },
  updateInvariant: { ...inProject, ...updates, ...addressed('invariant', 'key') },
  deleteInvariant: { ...inProject, ...deletes, ...addressed('invariant', 'key') },
  putReferences: {
    ...inProject,
    ...creates,
    action: 'update',
    resource: ({ plan }) => `references:${plan.params?.repo}`,
  },
  createManifestFlag: { ...inEnvironment, ...creates, flag_key: ({ sent }) => sent.key },
  updateManifestFlag: { ...inEnvironment, ...updates, ...flag },
  archiveManifestFlag: { ...inEnvironment, action: 'archive', holds: 'both', ...flag },
  createSegment: { ...inEnvironment, ...creates, resource: ({ sent }) => `segment:${sent.key}` },
  patchSegment: { ...inEnvironment, ...updates, ...segment },
  deleteSegment: { ...inEnvironment, ...deletes, ...segment },
  createExperiment: { ...inEnvironment, ...creates, resource: ({ sent }) => `experiment:${sent.key}` },
  updateExperiment: { ...inEnvironment, ...updates, ...experiment },
  deleteExperiment: { ...inEnvironment, ...deletes, ...experiment },
  deleteReports: {
    ...inEnvironment,
    ...deletes,
    resource: ({ plan }) => `reports:flag:${plan.query?.flag_key}`,
  },
  dismissUnknownFlag: {
    ...inEnvironment,
    ...deletes,
    resource: ({ plan }) => `reports:unknown_flag:${plan.params?.key}`,
  },
  deleteSeenUser: { ...inEnvironment, action: 'delete', holds: 'neither', resource: () => 'seen_user' },
  approveChangeRequest: {
    action: 'change_request.approve',
    origin: 'change_request',
    place: 'environment',
    holds: 'both',
    ...decided,
  },
  rejectChangeRequest: { ...inEnvironment, action: 'change_request.reject', holds: 'both', ...decided },
  commentOnChangeRequest: {
    ...inEnvironment,
    action: 'update',
    holds: 'neither',
    ...addressed('change_request'),
  },
  cancelChangeRequest: { ...inEnvironment, action: 'change_request.cancel', holds: 'both', ...decided },
  createScheduledChange: { ...inEnvironment, action: 'schedule', holds: 'after', ...flag },
  createWebhook: { ...inEnvironment, ...creates, ...answered('webhook') },
  updateWebhook: { ...inEnvironment, ...updates, ...addressed('webhook') },
  deleteWebhook: { ...inEnvironment, ...deletes, ...addressed('webhook') },
  redeliverWebhookDelivery: { ...inEnvironment, action: 'update', holds: 'neither', ...addressed('webhook') },
  testIntegration: { ...inEnvironment, action: 'update', holds: 'neither', ...addressed('integration') },
  createIntegration: { ...inEnvironment, ...creates, ...answered('integration') },
  updateIntegration: { ...inEnvironment, ...updates, ...addressed('integration') },
  deleteIntegration: { ...inEnvironment, ...deletes, ...addressed('integration') },
  deleteScheduledChange: { ...inEnvironment, action: 'unschedule', holds: 'before', ...decided },
}
