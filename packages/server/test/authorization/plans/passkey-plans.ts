import type { passkeyEndpoints } from '@burgee/contract'
import { addUser } from '../../harness/add-user.ts'
import { insertPasskey } from '../../harness/insert-passkey.ts'
import { insertUser } from '../../harness/insert-user.ts'
import { addPasskey, loginOptions } from '../../harness/passkeys.ts'
import { createAuthenticator } from '../../harness/software-authenticator.ts'
import type { Caller } from '../caller.ts'
import type { World } from '../world.ts'
import type { Planner, Planners } from './plan.ts'

const newAuthenticator = ({ server }: World) => createAuthenticator({ origin: server.url })

export const PASSKEY_PLANS: Planners<typeof passkeyEndpoints> = {
  startPasskey: async (_world, _place, caller) => ({ sender: await caller.another() }),
  addPasskey: async (world, _place, caller) => {
    const sender = await caller.another()
    const { headers } = sender
    const path = '/api/auth/factors/passkeys/options'
    const { body, status } = await world.server.call({ method: 'POST', path, as: 'anonymous', headers })
    const authenticator = newAuthenticator(world)
    const credential = status === 200 ? authenticator.create(body) : REFUSED
    return { sender, body: { name: world.newName('passkey'), credential } }
  },
  renamePasskey: async (world, _place, caller) => ({
    ...(await toPasskey(world, caller)),
    body: { name: world.newName('passkey') },
  }),
  removePasskey: async (world, _place, caller) => toPasskey(world, caller),
  startPasskeyLogin: async () => ({ body: { purpose: 'login' } }),
  loginWithPasskey: async (world) => {
    const person = await addUser(world.server, { email: `${world.newName('user')}@example.com` })
    const { authenticator } = await addPasskey(world.server, person, newAuthenticator(world))
    const { body: options } = await loginOptions(world.server)
    return { body: { passkey: authenticator.sign(options) } }
  },
  startPasskeyConfirmation: async (world, _place, caller) => {
    const sender = await caller.another()
    if (sender.user_id !== null) await insertPasskey(world.server, sender.user_id)
    return { sender }
  },
}

/** A response of the right form, for callers who get no options. */
const REFUSED = {
  ...{ id: 'AAAA', rawId: 'AAAA', type: 'public-key' },
  response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
}

async function toPasskey({ newName, server }: World, { user_id }: Caller): ReturnType<Planner> {
  const owner = user_id ?? (await insertUser(server, { email: `${newName('user')}@example.com` })).id
  return { params: { id: await insertPasskey(server, owner) } }
}
