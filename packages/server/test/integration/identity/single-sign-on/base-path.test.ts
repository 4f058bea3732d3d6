import { afterAll, beforeAll, expect, test } from 'vitest'
import { finish, type SsoServer, startSsoServer } from '../../../single-sign-on/start-sso-server.ts'
import { createVisitor } from '../../../single-sign-on/visitor.ts'

const PATH = '/burgee'

let sso: SsoServer
beforeAll(async () => {
  sso = await startSsoServer({ basePath: PATH })
  await sso.server.database.db
    .insertInto('group_mappings')
    .values({
      ...{ group_name: 'staff', role: 'editor', project_id: sso.server.project.id },
      created_at: new Date().toISOString(),
    })
    .execute()
  const add = (name: string, groups: readonly string[]) =>
    sso.provider.people.set(name, { name, groups, email: `${name}@example.com`, email_verified: true })
  add('grace', ['staff'])
  add('stranger', [])
})
afterAll(() => sso.close())

test('a person signs in below the path of PUBLIC_URL, and stays below it', async () => {
  const { callback, cookie, failure, headers, status, text } = await sso.logIn('grace', {
    query: '?return_to=/flags',
  })

  expect({ status, failure }).toEqual({ status: 200, failure: null })
  expect(new URL(callback).pathname).toBe(`${PATH}/api/auth/sso/callback`)
  expect(text).toContain(`content="0;url=${PATH}/flags"`)
  expect(headers.get('set-cookie')).toMatch(/lg_session=[^;]+; Max-Age=\d+; Path=\//)
  const me = await sso.server.call({ path: `${PATH}/api/auth/me`, as: { cookie } })
  expect(me).toMatchObject({ status: 200, body: { email: 'grace@example.com' } })
})

test('a login that fails leads to the login page below the path', async () => {
  const { failure, headers } = await sso.logIn('stranger')

  expect(failure).toBe('no_account')
  expect(headers.get('location')).toMatch(/^\/burgee\/login\?/)
})

test('a page of another site that begins a login leads to the login page below the path', async () => {
  const { body } = await sso.server.call({ path: '/api/workspace/sso' })
  expect(body).toMatchObject({ redirect_uri: expect.stringContaining(`${PATH}/api/auth/sso/callback`) })
  const start = body.redirect_uri.replace('callback', 'start')
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  const response = await fetch(start, { headers, redirect: 'manual' })
  expect(response.headers.get('location')).toMatch(/^\/burgee\/login/)
})

test('a callback works once, also without the path, which a proxy removes', async () => {
  const visitor = createVisitor()
  const { redirect_uri } = (await sso.server.call({ path: '/api/workspace/sso' })).body
  const callback = await visitor.logInAtProvider(redirect_uri.replace('callback', 'start'), 'grace')
  const removed = callback.replace(`${PATH}/api`, '/api')
  expect((await finish(visitor, removed)).failure).toBe(null)
  expect((await finish(visitor, callback)).failure).not.toBe(null)
})
