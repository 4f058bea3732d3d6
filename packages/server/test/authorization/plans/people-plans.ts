import { randomUUID } from 'node:crypto'
import type {
  accessTokenEndpoints,
  authEndpoints,
  memberEndpoints,
  oneTimeLinkEndpoints,
  preferenceEndpoints,
  roleEndpoints,
  scimEndpoints,
  serviceAccountEndpoints,
  sessionEndpoints,
  singleSignOnEndpoints,
  userEndpoints,
} from '@burgee/contract'
import { hashSecret } from '../../../src/platform/crypto/hash-secret.ts'
import { insertUser } from '../../harness/insert-user.ts'
import { ADMIN } from '../../harness/start-test-server.ts'
import { insertServiceAccount } from '../insert-service-account.ts'
import { insertToken } from '../insert-token.ts'
import type { Place, World } from '../world.ts'
import type { Planner, Planners } from './plan.ts'
import { planSecondStep } from './second-factor-plans.ts'

const { email, password } = ADMIN

export const AUTH_PLANS: Planners<typeof authEndpoints> = {
  login: async () => ({ body: { email, password } }),
  loginWithSecondFactor: planSecondStep,
  logout: async (_world, _place, caller) => ({ sender: await caller.another() }),
  getCurrentUser: async () => ({}),
  updateCurrentUser: async ({ newName }) => ({ body: { name: newName('renamed') } }),
  confirmOwnEmail: async ({ server }, _place, { headers }) => {
    const { body } = await server.call({ path: '/api/auth/me', as: 'anonymous', headers })
    return { body: { email: body.email ?? email } }
  },
  changePassword: async (_world, _place, caller) => ({
    sender: await caller.another(),
    body: { current_password: password, new_password: 'another long password' },
  }),
  reauthenticate: async (_world, _place, caller) => ({
    sender: await caller.another(),
    body: { password },
  }),
  updateWorkspace: async ({ newName }) => ({ body: { workspace_name: newName('workspace') } }),
  getWorkspaceSettings: async () => ({}),
  getWorkspace: async () => ({}),
}

/** No identity provider is set up in the world of these tests. */
export const SINGLE_SIGN_ON_PLANS: Planners<typeof singleSignOnEndpoints> = {
  getSignInOptions: async () => ({}),
  startSingleSignOn: async () => ({}),
  completeSingleSignOn: async () => ({}),
  getPendingLink: async () => ({}),
  confirmLink: async () => ({ body: { password } }),
  logOutAtProvider: async (_world, _place, caller) => ({ sender: await caller.another() }),
  endProviderSession: async () => ({ body: { logout_token: 'a.b.c' } }),
  getOwnIdentity: async () => ({}),
  unlinkOwnIdentity: async () => ({}),
  unlinkUserIdentity: async (world) => ({ params: { id: await newUser(world) } }),
  getSingleSignOnSettings: async () => ({}),
  listGroupMappings: async () => ({}),
  createGroupMapping: async ({ newName }, { project_id }) => ({
    body: { group: newName('group'), project_id, role: 'viewer' },
  }),
  deleteGroupMapping: async (world, { project_id }) => ({
    params: { id: await newMapping(world, project_id) },
  }),
}

export const SCIM_PLANS: Planners<typeof scimEndpoints> = {
  getScimSettings: async () => ({}),
  updateScimSettings: async () => ({ body: { adopts_accounts: true } }),
  createScimToken: async () => ({}),
  deleteScimToken: async ({ server }) => {
    const token = { token_hash: 'a hash', token_prefix: 'scim_…' }
    await server.database.db
      .insertInto('scim_settings')
      .values(token)
      .onConflict((row) => row.column('is_only_row').doUpdateSet(token))
      .execute()
    return {}
  },
}

async function newMapping({ newName, server }: World, project_id: string): Promise<number> {
  const { id } = await server.database.db
    .insertInto('group_mappings')
    .values({
      group_name: newName('group'),
      project_id,
      role: 'viewer',
      created_at: new Date().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const LINK_PLANS: Planners<typeof oneTimeLinkEndpoints> = {
  inviteUser: async (world) => ({ body: { name: 'Somebody', email: newEmail(world), role: 'viewer' } }),
  createUserLink: async (world) => ({ params: { id: await newUser(world) } }),
  readLink: async (world) => ({ body: { token: await newLink(world) } }),
  redeemLink: async (world) => ({ body: { token: await newLink(world), password: 'another long password' } }),
  requestPasswordReset: async () => ({ body: { email } }),
}

/** Inserts a link of a user and returns its token. */
async function newLink(world: World): Promise<string> {
  const token = randomUUID()
  const expires_at = new Date(Date.now() + DAY_MS).toISOString()
  await world.server.database.db
    .insertInto('one_time_links')
    .values({
      ...{ id: randomUUID(), user_id: await newUser(world), purpose: 'invitation' },
      ...{ token_hash: hashSecret(token), created_at: new Date().toISOString(), expires_at },
    })
    .execute()
  return token
}

export const SESSION_PLANS: Planners<typeof sessionEndpoints> = {
  listSessions: async () => ({}),
  endSession: async (world, _place, { user_id }) => ({
    params: { id: await newSession(world, user_id ?? (await newUser(world))) },
  }),
  endOtherSessions: async (_world, _place, caller) => ({ sender: await caller.another() }),
  listUserSessions: async (world) => ({ params: { id: await newUser(world) } }),
  endUserSession: async (world) => {
    const id = await newUser(world)
    return { params: { id, session_id: await newSession(world, id) } }
  },
  endUserSessions: async (world) => ({ params: { id: await newUser(world) } }),
}

/** Inserts a session that has no cookie. */
async function newSession({ server }: World, user_id: number): Promise<string> {
  const id = randomUUID()
  const expires_at = new Date(Date.now() + DAY_MS).toISOString()
  await server.database.db.insertInto('sessions').values({ id, user_id, expires_at }).execute()
  return id
}
const DAY_MS = 86_400_000

export const USER_PLANS: Planners<typeof userEndpoints> = {
  listUsers: async () => ({}),
  getUser: async (world) => ({ params: { id: await newUser(world) } }),
  createUser: async (world) => ({
    body: { name: 'Somebody', email: newEmail(world), role: 'viewer', password: 'a long password' },
  }),
  updateUser: async (world) => ({
    params: { id: await newUser(world) },
    body: { name: world.newName('renamed') },
  }),
  disableUser: async (world) => ({ params: { id: await newUser(world) }, body: { schedules: 'cancel' } }),
  enableUser: async (world) => ({ params: { id: await newUser(world) } }),
  listUserScheduledChanges: async (world) => ({ params: { id: await newUser(world) } }),
  unlockUser: async (world) => ({ params: { id: await newUser(world) } }),
  deleteUser: async (world) => ({ params: { id: await newUser(world) } }),
}

export const ACCESS_TOKEN_PLANS: Planners<typeof accessTokenEndpoints> = {
  listAccessTokens: async () => ({}),
  createAccessToken: async ({ newName }) => ({ body: { name: newName('token'), scope: 'read_write' } }),
  revokeAccessToken: async (world, _place, { user_id }) => {
    const { id } = await insertToken(world, { user_id: user_id ?? (await newUser(world)) })
    return { params: { id } }
  },
  listUserTokens: async (world) => ({ params: { id: await newUser(world) } }),
  revokeUserToken: async (world) => {
    const id = await newUser(world)
    const { id: token_id } = await insertToken(world, { user_id: id })
    return { params: { id, token_id } }
  },
}

export const SERVICE_ACCOUNT_PLANS: Planners<typeof serviceAccountEndpoints> = {
  listServiceAccounts: async () => ({}),
  createServiceAccount: async ({ newName }) => ({ body: { name: newName('robot') } }),
  updateServiceAccount: async (world) => ({
    params: { id: await insertServiceAccount(world) },
    body: { is_disabled: true },
  }),
  deleteServiceAccount: async (world) => ({ params: { id: await insertServiceAccount(world) } }),
  listServiceAccountTokens: async (world) => ({ params: { id: await insertServiceAccount(world) } }),
  createServiceAccountToken: async (world) => ({
    params: { id: await insertServiceAccount(world) },
    body: { name: 'Nightly', scope: 'read_only' },
  }),
  revokeServiceAccountToken: async (world) => {
    const id = await insertServiceAccount(world)
    const { id: token_id } = await insertToken(world, { user_id: id })
    return { params: { id, token_id } }
  },
}

export const PREFERENCE_PLANS: Planners<typeof preferenceEndpoints> = {
  getPreferences: async (_world, { project_id }) => ({ params: { project_id } }),
  updatePreferences: async (_world, { project_id }) => ({
    params: { project_id },
    body: { favorite_flags: { checkout: true } },
  }),
}

export const MEMBER_PLANS: Planners<typeof memberEndpoints> = {
  listMembers: async (_world, { project_id }) => ({ params: { project_id } }),
  listMemberCandidates: async (_world, { project_id }) => ({ params: { project_id }, query: { q: 'a' } }),
  getMember: async (world, place) => toNewMember(world, place),
  addMember: async (world, { project_id }) => ({
    params: { project_id },
    body: { user_id: await newUser(world), role: 'viewer' },
  }),
  updateMember: async (world, place) => ({ ...(await toNewMember(world, place)), body: { role: 'editor' } }),
  removeMember: async (world, place) => toNewMember(world, place),
}

export const ROLE_PLANS: Planners<typeof roleEndpoints> = {
  listRoles: async () => ({}),
  getRole: async (world) => ({ params: { key: await newRole(world) } }),
  createRole: async ({ newName }) => ({ body: { key: newName('role'), name: 'Role', permissions: [] } }),
  updateRole: async (world) => ({ params: { key: await newRole(world) }, body: { name: 'Renamed' } }),
  deleteRole: async (world) => ({ params: { key: await newRole(world) } }),
  getOwnAccess: async (_world, { project_id }) => ({ params: { project_id } }),
}

async function newRole({ newName, server }: World): Promise<string> {
  const key = newName('role')
  await server.database.db.insertInto('roles').values({ key, name: key, permissions: [] }).execute()
  return key
}

const toNewMember = async (world: World, { project_id }: Place): ReturnType<Planner> => ({
  params: { project_id, user_id: await newUser(world, { [project_id]: 'viewer' }) },
})

async function newUser(world: World, memberOf: Readonly<Record<string, string>> = {}): Promise<number> {
  return (await insertUser(world.server, { email: newEmail(world), memberOf })).id
}

const newEmail = ({ newName }: World): string => `${newName('user')}@example.com`
