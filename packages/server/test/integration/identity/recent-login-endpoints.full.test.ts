import { type Endpoint, endpoints } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../authorization/caller.ts'
import { createCallers } from '../../authorization/callers.ts'
import { ENDPOINT_NAMES, type EndpointName } from '../../authorization/observe.ts'
import { PLANNERS } from '../../authorization/plans/plans.ts'
import { createWorld, type World } from '../../authorization/world.ts'

/**
 * The endpoints that need a recent login, by hand from docs/reference/access.md: users and their credentials,
 * roles, keys, approval settings, and what deletes much. The harness confirms the login of its own admin when
 * a call needs it, which would hide that too many or too few need it. No call here is sent by that admin.
 */
const NEEDED: readonly EndpointName[] = [
  ...(['unlinkOwnIdentity', 'unlinkUserIdentity', 'createGroupMapping', 'deleteGroupMapping'] as const),
  ...(['updateScimSettings', 'createScimToken', 'deleteScimToken'] as const),
  ...(['startTotp', 'confirmTotp', 'removeTotp', 'renewRecoveryCodes', 'resetUserFactors'] as const),
  ...(['startPasskey', 'addPasskey', 'renamePasskey', 'removePasskey'] as const),
  ...(['createUser', 'updateUser', 'unlockUser', 'disableUser', 'enableUser', 'deleteUser'] as const),
  ...(['inviteUser', 'createUserLink'] as const),
  ...(['createAccessToken', 'revokeAccessToken', 'revokeUserToken'] as const),
  ...(['createServiceAccount', 'updateServiceAccount', 'deleteServiceAccount'] as const),
  ...(['createServiceAccountToken', 'revokeServiceAccountToken'] as const),
  ...(['addMember', 'updateMember', 'removeMember'] as const),
  ...(['createRole', 'updateRole', 'deleteRole'] as const),
  ...(['deleteProject', 'deleteEnvironment', 'requireApproval'] as const),
  ...(['createSdkKey', 'revokeSdkKey'] as const),
  ...(['confirmOwnEmail', 'createWebhook', 'createIntegration', 'deleteReports'] as const),
  ...(['createInvariant', 'updateInvariant', 'deleteInvariant'] as const),
]

/** The fields that need a recent login, with a value, where the rest of the endpoint needs none. */
const NEEDED_FIELDS: Partial<Record<EndpointName, Readonly<Record<string, unknown>>>> = {
  updateWorkspace: { keys_may_manage: true, second_factor: 'optional', second_factor_grace_days: 7 },
  updateEnvironment: { keys_may_manage: true, require_comment: false },
  approveChangeRequest: { bypass_reason: 'The approver is on leave.' },
  updateWebhook: { url: 'https://example.com/hook' },
  updateIntegration: { webhook_url: 'https://hooks.slack.com/services/T0/B0/secret' },
}

let world: World
let owner: Caller
beforeAll(async () => {
  world = await createWorld()
  const found = (await createCallers(world)).find(({ column }) => column === 'owner')
  if (!found) throw new Error('no caller is a workspace admin')
  owner = found
})
afterAll(() => world?.server.close())

/** Makes the logins of a user older than the ten minutes for which they are recent. */
const age = (user_id: number | null) =>
  world.server.database.pool.query(
    `update sessions set authenticated_at = now() - interval '11 minutes' where user_id = $1`,
    [user_id],
  )

/** Returns whether the endpoint refuses an old login, with further fields in its body. */
async function refusesOldLogin(name: EndpointName, fields?: object): Promise<boolean> {
  const caller = await owner.another()
  const { body, params = {}, query, sender = caller } = await PLANNERS[name](world, world.home, caller)
  await age(sender.user_id)
  const { method, path }: Endpoint = endpoints[name]
  const filled = path.replaceAll(/:(\w+)/g, (_, param: string) => String(params[param]))
  const sent = fields ? { ...Object(body), ...fields } : body
  const { body: answer, status } = await world.server.call({
    method,
    path: query ? `${filled}?${new URLSearchParams(query)}` : filled,
    as: 'anonymous',
    headers: sender.headers,
    ...(sent !== undefined && { body: sent }),
  })
  return status === 403 && answer.reason === 'reauthentication_required'
}

describe('a login that is not recent', () => {
  // A stream does not end, and needs no more than a list of flags.
  it.each(ENDPOINT_NAMES.filter((name) => name !== 'openStream'))('%s refuses it or not', async (name) => {
    expect(await refusesOldLogin(name)).toBe(NEEDED.includes(name))
  })

  it.each(
    Object.entries(NEEDED_FIELDS).flatMap(([name, fields]) =>
      Object.entries(fields).map(([field, value]) => [name as EndpointName, field, value] as const),
    ),
  )('%s refuses it with the field %s', async (name, field, value) => {
    expect(await refusesOldLogin(name, { [field]: value })).toBe(true)
  })

  it('is refused where the contract says so, and nowhere else', () => {
    const all: [string, Endpoint][] = Object.entries(endpoints)
    const needed = all.filter(([, { needsRecentLogin }]) => needsRecentLogin === true)
    expect(needed.map(([name]) => name).sort()).toEqual([...NEEDED].sort())
    const fields = all.flatMap(([name, { needsRecentLogin }]) =>
      Array.isArray(needsRecentLogin) ? [[name, [...needsRecentLogin].sort()]] : [],
    )
    expect(Object.fromEntries(fields)).toEqual(
      Object.fromEntries(
        Object.entries(NEEDED_FIELDS).map(([name, values]) => [name, Object.keys(values).sort()]),
      ),
    )
  })
})
