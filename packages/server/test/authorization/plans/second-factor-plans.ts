import type { secondFactorEndpoints } from '@burgee/contract'
import { recoveryCodeHash } from '../../../src/identity/second-factors/recovery-codes.ts'
import { insertUser } from '../../harness/insert-user.ts'
import { appOf, cookieNamed } from '../../harness/second-factors.ts'
import { ADMIN } from '../../harness/start-test-server.ts'
import type { Caller } from '../caller.ts'
import type { World } from '../world.ts'
import type { Planner, Planners } from './plan.ts'

const TOTP_PATH = '/api/auth/factors/totp'

export const SECOND_FACTOR_PLANS: Planners<typeof secondFactorEndpoints> = {
  getSecondFactors: async () => ({}),
  startTotp: async (_world, _place, caller) => ({ sender: await caller.another() }),
  confirmTotp: async ({ server }, _place, caller) => {
    const sender = await caller.another()
    const { headers } = sender
    const { body } = await server.call({ method: 'POST', path: TOTP_PATH, as: 'anonymous', headers })
    return { sender, body: { code: body.secret === undefined ? '000000' : appOf(body.secret)() } }
  },
  removeTotp: async (world, _place, caller) => ({ sender: await enrolled(world, caller) }),
  renewRecoveryCodes: async (world, _place, caller) => ({ sender: await enrolled(world, caller) }),
  resetUserFactors: async (world) => {
    const { id } = await insertUser(world.server, { email: `${world.newName('user')}@example.com` })
    await addFactor(world, id)
    return { params: { id } }
  },
}

const CODE = 'aaaaaa-bbbbbb-cccccc-dddddd'

/** Signs in with a recovery code, in a browser that also sends the caller's credentials. */
export const planSecondStep: Planner = async (world, _place, caller) => {
  const email = `${world.newName('user')}@example.com`
  const { id } = await insertUser(world.server, { email })
  await addFactor(world, id)
  const body = { email, password: ADMIN.password }
  const first = await world.server.call({ path: '/api/auth/login', body, as: 'anonymous' })
  const cookies = [caller.headers.cookie, cookieNamed('lg_login', first)].filter(Boolean)
  const sender = { ...caller, headers: { ...caller.headers, cookie: cookies.join('; ') } }
  return { sender, body: { recovery_code: CODE } }
}

/** Returns another caller of the same kind whose account has a second factor. */
async function enrolled(world: World, caller: Caller): Promise<Caller> {
  const sender = await caller.another()
  if (sender.user_id !== null) await addFactor(world, sender.user_id)
  return sender
}

/** Gives an account an authenticator app, without a usable secret, and one recovery code. */
async function addFactor({ server }: World, user_id: number): Promise<void> {
  const now = new Date().toISOString()
  const { db } = server.database
  const row = { user_id, secret: 'sealed', created_at: now, confirmed_at: now, last_step: null }
  await db.insertInto('totp_secrets').values(row).execute()
  await db
    .insertInto('recovery_codes')
    .values({ user_id, code_hash: recoveryCodeHash(CODE) })
    .execute()
}
