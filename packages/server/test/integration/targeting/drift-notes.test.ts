import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../../../cli/test/harness/run.ts'
import { addUser } from '../../harness/add-user.ts'
import { type As, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let path: string
beforeAll(async () => {
  server = await startTestServer()
  path = `/api/projects/${server.project.id}/drift-notes`
})
afterAll(() => server?.close())

const NOTE = {
  source: 'staging',
  target: 'production',
  reason: 'The trial runs in staging',
  owner_email: 'grace@example.com',
}
const put = (key: string, body: object, as?: As) =>
  server.call({ method: 'PUT', path: `${path}/${key}`, body, ...(as && { as }) })

describe('notes about drift', () => {
  it('are stored, replaced, listed by key and deleted', async () => {
    const first = await put('b-flag', NOTE)
    expect(first).toMatchObject({
      status: 200,
      body: { flag_key: 'b-flag', ...NOTE, expires_at: null, created_by: 'ada@example.com' },
    })
    const expires_at = '2030-01-02T03:04:05.000Z'
    const byId = { ...NOTE, source: server.environments.staging, expires_at }
    expect((await put('b-flag', byId)).body).toMatchObject(byId)
    await put('a-flag', NOTE)
    const listed = await server.call({ path })
    expect(listed.body.map(({ flag_key }: { flag_key: string }) => flag_key)).toEqual(['a-flag', 'b-flag'])
    const remove = () => server.call({ method: 'DELETE', path: `${path}/a-flag` })
    expect((await remove()).status).toBe(204)
    expect(await remove()).toMatchObject({ status: 404, body: { error: 'No such drift note.' } })
    const audit = await server.call({ path: `/api/projects/${server.project.id}/audit?limit=3` })
    expect(audit.body.map(({ action }: { action: string }) => action)).toContain('delete')
  })

  it('refuse what are not two environments of the project, and blank reasons', async () => {
    const refused = async (fields: object) => {
      const { body, status } = await put('c-flag', { ...NOTE, ...fields })
      expect(status).toBe(422)
      return body.error
    }
    expect(await refused({ source: 'nowhere' })).toContain('/source is no slug or id of an environment')
    expect(await refused({ target: randomUUID() })).toContain('/target')
    expect(await refused({ target: server.environments.staging })).toContain('/target is the source too')
    await refused({ reason: ' ' })
    await refused({ owner_email: '' })
    await refused({ expires_at: 'soon' })
  })

  it('are written by editors, and read by every member', async () => {
    const join = async (role: 'editor' | 'viewer') => {
      const memberOf = { [server.project.id]: role }
      const { cookie } = await addUser(server, { email: `${role}@example.com`, memberOf })
      return { cookie }
    }
    const [editor, viewer] = [await join('editor'), await join('viewer')]
    expect((await put('d-flag', NOTE, editor)).status).toBe(200)
    expect((await put('d-flag', NOTE, viewer)).status).toBe(403)
    expect((await server.call({ path, as: viewer })).status).toBe(200)
  })

  it('leave a flag out of the drift of their environments until they end', async () => {
    const flags = { staging: true, production: false }
    for (const [slug, is_enabled] of Object.entries(flags)) {
      const id = server.environments[slug as keyof typeof flags]
      await server.call({ path: `/api/environments/${id}/flags`, body: { key: 'drifted', is_enabled } })
    }
    const { token } = (
      await server.call({ path: '/api/tokens', body: { name: 'drift', scope: 'read_only' } })
    ).body
    const drift = (from: string, to: string) =>
      run(['drift', '--from', from, '--to', to], {
        env: { BURGEE_URL: server.url, BURGEE_TOKEN: token, BURGEE_PROJECT: server.project.slug },
      })
    expect(await drift('staging', 'production')).toMatchObject({ code: 3 })
    await put('drifted', NOTE)
    const noted = await drift('production', 'staging')
    expect(noted).toMatchObject({ code: 0, err: '' })
    expect(noted.out).toContain('. drifted: meant to differ (grace@example.com): The trial runs in staging')
    expect(await drift('staging', 'development')).toMatchObject({ code: 3 })
    await put('drifted', { ...NOTE, expires_at: '2020-01-01T00:00:00Z' })
    expect(await drift('staging', 'production')).toMatchObject({ code: 3 })
  })
})
