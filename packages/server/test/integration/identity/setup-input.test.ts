import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const TOKEN = 'the-token-of-the-operator'
const ADMIN = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }

let database: TestDatabase
let server: TestServer

beforeAll(async () => {
  database = await createTestDatabase()
  server = await startTestServer({ database, setUp: false, env: { SETUP_TOKEN: TOKEN } })
})
afterAll(async () => {
  await server.close()
  await database.drop()
})

const input = (changes: object = {}, admin: object = {}) => ({
  workspace_name: 'Harbour',
  project_name: 'Web Shop',
  admin: { ...ADMIN, ...admin },
  ...changes,
})

test.each([
  ['no body', '', ''],
  ['no workspace name', input({ workspace_name: undefined }), '/workspace_name'],
  ['a blank workspace name', input({ workspace_name: '  ' }), '/workspace_name'],
  ['a project name that is no text', input({ project_name: 7 }), '/project_name'],
  ['an empty project name', input({ project_name: '' }), '/project_name'],
  ['no admin', input({ admin: undefined }), '/admin'],
  ['an admin without a name', input({}, { name: null }), '/admin/name'],
  ['no e-mail', input({}, { email: undefined }), '/admin/email'],
  ['an e-mail without @', input({}, { email: 'ada.example.com' }), '/admin/email'],
  ['an e-mail with a space', input({}, { email: 'ada @example.com' }), '/admin/email'],
  ['a password of 7 characters', input({}, { password: '1234567' }), '/admin/password'],
  ['a password of 1,025 bytes', input({}, { password: 'x'.repeat(1025) }), '/admin/password'],
  [
    'a password of 513 characters and 1,026 bytes',
    input({}, { password: 'ä'.repeat(513) }),
    '/admin/password',
  ],
  ['NUL in a name', input({ workspace_name: 'a\u0000b' }), '/workspace_name'],
])('set-up with %s is 422 and changes nothing', async (_what, body, path) => {
  const answer = await server.call({ method: 'POST', path: '/api/setup', body, as: { bearer: TOKEN } })

  expect(answer.status).toBe(422)
  expect(answer.body.error).toEqual(expect.any(String))
  if (path !== '') expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path)
  expect(await database.db.selectFrom('users').select('id').execute()).toEqual([])
})
