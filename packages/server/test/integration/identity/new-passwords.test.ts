import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../../src/platform/settings/config.ts'
import { addUser } from '../../harness/add-user.ts'
import { ADMIN, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const COMMON = 'Password1'
const WARNING = { code: 'common_password', message: expect.any(String) }
/** The hash of "correct horse battery" with 8 MiB instead of 19. */
const OLD_HASH =
  '$argon2id$v=19$m=8192,t=2,p=1$g4HIaKlOK+WcL4gk92hBNA$jv54q/zcTkuADMq2fxRwmXyb2Lh+uzIumshoaYhMIkQ'

let server: TestServer
let strict: TestServer
let count = 0

beforeAll(async () => {
  server = await startTestServer({ fullPasswordCost: true })
  strict = await startTestServer({
    env: { PASSWORD_POLICY: 'strict', PASSWORD_WORDS: 'Acme, Rocket Skates' },
  })
})
afterAll(async () => {
  await server.close()
  await strict.close()
})

const newEmail = () => {
  count += 1
  return `user-${count}@example.com`
}

const createUser = (password: string, { on = server, policy }: { on?: TestServer; policy?: string } = {}) =>
  on.call({
    path: '/api/users',
    body: {
      name: 'Somebody',
      email: newEmail(),
      role: 'viewer',
      password,
      ...(policy !== undefined && { password_policy: policy }),
    },
  })

describe('one of the most common passwords', () => {
  it.each([COMMON, 'password', 'PASSWORD', '12345678', 'iloveyou'])(
    'a common password is accepted with a warning when a user is created: %s',
    async (password) => {
      const answer = await createUser(password)
      expect(answer.status).toBe(200)
      expect(answer.body.warnings).toEqual([{ ...WARNING, path: '/password' }])
    },
  )

  it('a common password is accepted with a warning when an admin sets it', async () => {
    const { body } = await createUser('no common password')
    expect(body.warnings).toBeUndefined()
    const answer = await server.call({
      method: 'PATCH',
      path: `/api/users/${body.id}`,
      body: { password: COMMON },
    })
    expect(answer.body.warnings).toEqual([{ ...WARNING, path: '/password' }])
  })

  it('a common password is accepted with a header when a user chooses it', async () => {
    const user = await addUser(server, { email: newEmail() })
    const change = (current_password: string, new_password: string) =>
      server.call({
        path: '/api/auth/password',
        body: { current_password, new_password },
        as: { cookie: user.cookie },
      })
    const common = await change(ADMIN.password, COMMON)
    expect([common.status, common.headers.get('x-warning-codes')]).toEqual([204, 'common_password'])
    const better = await change(COMMON, ADMIN.password)
    expect([better.status, better.headers.get('x-warning-codes')]).toEqual([204, null])
  })

  it('a common password is refused when the request has the policy strict', async () => {
    const answer = await createUser(COMMON, { policy: 'strict' })
    expect(answer.status).toBe(422)
    expect(answer.body.details).toEqual([{ path: '/password', message: expect.stringContaining('Choose') }])
    expect((await createUser('no common password', { policy: 'strict' })).status).toBe(200)
    expect((await createUser('no common password', { policy: 'none' })).status).toBe(422)
  })

  it('a common password is always refused with PASSWORD_POLICY=strict, whatever the request has', async () => {
    expect((await createUser(COMMON, { on: strict, policy: 'standard' })).status).toBe(422)
    const created = await createUser('no common password', { on: strict })
    expect(created.status).toBe(200)
    const path = `/api/users/${created.body.id}`
    const set = await strict.call({ method: 'PATCH', path, body: { password: COMMON } })
    expect(set.status).toBe(422)
    const changed = await strict.call({
      path: '/api/auth/password',
      body: { current_password: ADMIN.password, new_password: COMMON },
    })
    expect(changed.status).toBe(422)
    expect(changed.body.details[0].path).toBe('/new_password')
  })

  it('a password of words of the organization is treated like a common one', async () => {
    for (const password of [
      'Acme2026!!',
      'rocket skates',
      'ACME-Rocket Skates-1',
      'burgee2026',
      'MyBurgee#1',
    ])
      expect([password, (await createUser(password, { on: strict })).status]).toEqual([password, 422])
    for (const password of ['acme correct horse', 'rocket fuel 2026'])
      expect([password, (await createUser(password, { on: strict })).status]).toEqual([password, 200])
    const { body, status } = await createUser('burgee2026')
    expect([status, body.warnings]).toEqual([200, [{ ...WARNING, path: '/password' }]])
    const env = { SETUP_ADMIN_EMAIL: ADMIN.email, SETUP_ADMIN_PASSWORD: 'acme2026', PASSWORD_WORDS: 'Acme' }
    expect(() => loadConfig(env)).not.toThrow()
    expect(() => loadConfig({ ...env, PASSWORD_POLICY: 'strict' })).toThrow('SETUP_ADMIN_PASSWORD')
    expect(() => loadConfig({ PASSWORD_WORDS: 'abc' })).toThrow('PASSWORD_WORDS')
  })

  it('a common password stops an unattended set-up with PASSWORD_POLICY=strict', () => {
    const env = { SETUP_ADMIN_EMAIL: ADMIN.email, SETUP_ADMIN_PASSWORD: COMMON }
    expect(() => loadConfig(env)).not.toThrow()
    expect(() => loadConfig({ ...env, PASSWORD_POLICY: 'strict' })).toThrow('SETUP_ADMIN_PASSWORD')
  })
})

describe('common passwords in the set-up wizard', () => {
  const setUp = (fresh: TestServer, policy?: string) =>
    fresh.call({
      path: '/api/setup',
      as: { bearer: 'setup-token-of-the-tests' },
      body: {
        workspace_name: 'Test',
        project_name: 'Shop',
        admin: { ...ADMIN, password: COMMON, ...(policy !== undefined && { password_policy: policy }) },
      },
    })

  it('a common password in the wizard is refused with the policy strict and otherwise gives a warning', async () => {
    const fresh = await startTestServer({ setUp: false })
    const refused = await setUp(fresh, 'strict')
    expect([refused.status, refused.body.details?.[0]?.path]).toEqual([422, '/admin/password'])
    const done = await setUp(fresh)
    expect(done.body.warnings).toEqual([{ ...WARNING, path: '/admin/password' }])
    await fresh.close()
  })
})

describe('password hashes with other parameters', () => {
  it('an outdated password hash is replaced at the next login; the password and known browsers stay', async () => {
    const { email } = await addUser(server, { email: newEmail() })
    const { db } = server.database
    await db.updateTable('users').set({ password_hash: OLD_HASH }).where('email', '=', email).execute()
    const logIn = (cookie = '') =>
      server.call({
        path: '/api/auth/login',
        body: { email, password: ADMIN.password },
        as: 'anonymous',
        headers: { cookie },
      })
    const read = () =>
      db
        .selectFrom('users')
        .select(['password_hash', 'password_version'])
        .where('email', '=', email)
        .executeTakeFirstOrThrow()

    const before = await read()
    expect((await logIn()).status).toBe(200)
    const after = await read()

    expect(after.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(after.password_version).toBe(before.password_version)
    expect((await logIn()).status).toBe(200)
    expect(await read()).toEqual(after)
  })
})
