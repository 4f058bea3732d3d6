import { addUser } from '../harness/add-user.ts'
import { insertUser, type NewUser } from '../harness/insert-user.ts'
import { bearer, type Caller, CSRF, fixedCaller } from './caller.ts'
import { insertServiceAccount } from './insert-service-account.ts'
import { insertToken } from './insert-token.ts'
import { asAdmin, createKey, type World } from './world.ts'

/** Creates the callers without a valid credential. */
export async function createNobodies(world: World): Promise<Caller[]> {
  return Promise.all(
    Object.entries(NOBODIES).map(async ([name, present]) =>
      fixedCaller({
        column: 'nobody',
        name: `nobody: ${name}`,
        headers: await present(world),
        identity: 'nobody',
        sees: NOTHING,
      }),
    ),
  )
}

const NOTHING: Caller['sees'] = { projectIds: [], environmentIds: [] }

type Headers = Readonly<Record<string, string>>

const NOBODIES: Record<string, (world: World) => Promise<Headers>> = {
  'no credential': async () => ({}),
  garbage: async () => bearer('sk_live_garbage'),
  'a garbage token': async () => bearer('pat_garbage'),
  'another scheme': async () => ({ authorization: 'Basic YWRhQGV4YW1wbGUuY29tOng=' }),
  'garbage beside a good cookie': async ({ server }) => ({
    ...bearer('garbage'),
    cookie: server.cookie,
    ...CSRF,
  }),
  'a tampered cookie': async ({ server }) => ({ cookie: tamper(server.cookie), ...CSRF }),
  'an expired token': async (world) => {
    const { id } = await insertUser(world.server, newAdmin(world))
    const expires_at = '2026-01-01T00:00:00.000Z'
    return bearer((await insertToken(world, { user_id: id, expires_at })).token)
  },
  'a revoked token': async (world) => {
    const { cookie, id: user_id } = await addUser(world.server, newAdmin(world))
    const { id, token } = await insertToken(world, { user_id })
    await asAdmin(world.server, { method: 'DELETE', path: `/api/tokens/${id}`, as: { cookie } })
    return bearer(token)
  },
  'a revoked key': async (world) => {
    const { project_id } = world.home
    const { id, key } = await createKey(world, world.home)
    await asAdmin(world.server, { method: 'DELETE', path: `/api/projects/${project_id}/keys/${id}` })
    return bearer(key)
  },
  'a session after logout': async (world) => {
    const { cookie } = await addUser(world.server, newAdmin(world))
    await asAdmin(world.server, { method: 'POST', path: '/api/auth/logout', as: { cookie } })
    return { cookie, ...CSRF }
  },
  'a session of a deleted user': async (world) => {
    const { cookie, id } = await addUser(world.server, newAdmin(world))
    await asAdmin(world.server, { method: 'DELETE', path: `/api/users/${id}` })
    return { cookie, ...CSRF }
  },
  'a token of a deleted user': async (world) => {
    const { id } = await insertUser(world.server, newAdmin(world))
    const { token } = await insertToken(world, { user_id: id })
    await asAdmin(world.server, { method: 'DELETE', path: `/api/users/${id}` })
    return bearer(token)
  },
  'a session of a disabled user': async (world) => {
    const { cookie, id } = await addUser(world.server, newAdmin(world))
    await asAdmin(world.server, { method: 'POST', path: `/api/users/${id}/disable` })
    return { cookie, ...CSRF }
  },
  'a token of a disabled user': async (world) => {
    const { id } = await insertUser(world.server, newAdmin(world))
    await asAdmin(world.server, { method: 'POST', path: `/api/users/${id}/disable` })
    // Disabling revokes tokens, so this one is inserted afterwards.
    return bearer((await insertToken(world, { user_id: id })).token)
  },
  'a token of a disabled service account': async (world) => {
    const memberOf = { [world.home.project_id]: 'admin' }
    const id = await insertServiceAccount(world, { disabled_at: new Date().toISOString(), memberOf })
    return bearer((await insertToken(world, { user_id: id })).token)
  },
}

/** A user who could do everything if the credential were valid. */
const newAdmin = ({ newName }: World): NewUser => ({
  email: `${newName('somebody')}@example.com`,
  role: 'admin',
})

/** Changes a character in the middle of the encrypted part. */
function tamper(cookie: string): string {
  const at = Math.floor(cookie.length / 2)
  return cookie.slice(0, at) + (cookie[at] === 'A' ? 'B' : 'A') + cookie.slice(at + 1)
}
