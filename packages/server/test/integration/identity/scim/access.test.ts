import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertToken } from '../../../authorization/insert-token.ts'
import { addUser } from '../../../harness/add-user.ts'
import { eventually } from '../../../harness/eventually.ts'
import { readStream } from '../../../harness/read-stream.ts'
import { startTestServer, type TestServer } from '../../../harness/start-test-server.ts'
import { type Provider, startProvider } from '../../../scim/provider.ts'

let first: TestServer
let second: TestServer
let provider: Provider
let made = 0

beforeAll(async () => {
  first = await startTestServer()
  second = await startTestServer({ database: first.database })
  provider = await startProvider(first)
})
afterAll(async () => {
  await second.close()
  await first.close()
})

const adopt = (adopts_accounts: boolean) =>
  first.call({ method: 'PATCH', path: '/api/workspace/scim', body: { adopts_accounts } })
const newEmail = () => {
  made += 1
  return `person-${made}@example.com`
}
const map = (group: string, role: string, project_id: string | null = first.project.id) =>
  first.call({ path: '/api/workspace/sso/mappings', body: { group, project_id, role } })
const memberships = async (id: string) => {
  const { body } = await first.call({ path: `/api/projects/${first.project.id}/members` })
  return body.filter((member: { user_id: number }) => member.user_id === Number(id))
}
const setMembers = (group: string, op: string, ids: readonly string[]) =>
  provider.patch(`/Groups/${group}`, [{ op, path: 'members', value: ids.map((value) => ({ value })) }])

describe('a user whom SCIM disables', () => {
  test('loses sessions, tokens and streams on every instance', async () => {
    await adopt(true)
    const email = newEmail()
    const person = await addUser(first, { email, role: 'editor', memberOf: { [first.project.id]: 'editor' } })
    const { token } = await insertToken({ server: first }, { user_id: person.id })
    const id = await provider.newUser(email)
    expect(id).toBe(String(person.id))
    const credentials = [{ cookie: person.cookie }, { authorization: `Bearer ${token}` }]
    const streams = await Promise.all(
      credentials.map((headers) => readStream(`${second.url}/stream`, headers)),
    )
    for (const stream of streams) await stream.until(({ event }) => event === 'ready')

    await provider.patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value: 'False' }])

    for (const on of [first, second]) {
      expect((await on.call({ path: '/api/auth/me', as: person })).status).toBe(401)
      expect((await on.call({ path: '/api/auth/me', as: { bearer: token } })).status).toBe(401)
    }
    for (const stream of streams) await eventually(() => stream.ended())
    const { body } = await first.call({ path: '/api/audit?limit=1' })
    expect(body[0]).toMatchObject({
      actor_email: 'scim',
      action: 'update',
      metadata: { resource: `user:${id}`, by: 'scim', sessions_ended: 1, tokens_revoked: 1 },
    })
  })
})

describe('a user whose address SCIM changes', () => {
  test('keeps their scheduled changes, under the new address', async () => {
    await adopt(true)
    const email = newEmail()
    const person = await addUser(first, { email, role: 'editor', memberOf: { [first.project.id]: 'editor' } })
    const id = await provider.newUser(email)
    const flags = `/api/environments/${first.environments.staging}/flags`
    await first.call({ path: flags, body: { key: `planned-${id}`, is_enabled: true } })
    const body = { scheduled_at: '2199-01-01T00:00:00Z', patch: { is_enabled: false } }
    const planned = await first.call({ path: `${flags}/planned-${id}/scheduled-changes`, body, as: person })
    expect(planned.status, JSON.stringify(planned.body)).toBeLessThan(300)
    const renamed = newEmail()

    await provider.patch(`/Users/${id}`, [{ op: 'replace', path: 'userName', value: renamed }])

    const listed = await first.call({ path: `/api/users/${id}/scheduled-changes` })
    expect(listed.body).toMatchObject([{ scheduled_by: renamed }])
    const disabled = await first.call({ path: `/api/users/${id}/disable`, body: { schedules: 'cancel' } })
    expect(disabled.body.schedules).toEqual({ kept: 0, cancelled: 1 })
  })
})

describe('a change request of a user whose address SCIM changes', () => {
  test('has the new address while it is pending, and the earlier one when it was decided before', async () => {
    const { id: project_id } = first.project
    const place = first.environments.development
    await adopt(true)
    const email = newEmail()
    const person = await addUser(first, { email, memberOf: { [project_id]: 'editor' } })
    const id = await provider.newUser(email)
    const key = `requested-${id}`
    const at = `/api/environments/${place}`
    await first.call({ path: `${at}/flags`, body: { key, is_enabled: true } })
    const settings = `/api/projects/${project_id}/environments/${place}/require-approval`
    await first.call({ path: settings, body: { require_approval: true } })
    const request = async (description: string) =>
      (await first.call({ method: 'PATCH', path: `${at}/flags/${key}`, body: { description }, as: person }))
        .body.id
    const decided = await request('Decided')
    const pending = await request('Pending')
    await first.call({ method: 'POST', path: `${at}/change-requests/${decided}/reject` })
    const renamed = newEmail()

    await provider.patch(`/Users/${id}`, [{ op: 'replace', path: 'userName', value: renamed }])

    const authorOf = async (request_id: number) =>
      (await first.call({ path: `${at}/change-requests/${request_id}` })).body.requested_by
    expect([await authorOf(decided), await authorOf(pending)]).toEqual([email, renamed])
    const own = await first.call({ path: `${at}/change-requests?mine=true&status=pending`, as: person })
    expect(own.body).toMatchObject([{ id: pending, requested_by: renamed }])
    const approved = await first.call({
      method: 'POST',
      path: `${at}/change-requests/${pending}/approve`,
      as: person,
    })
    expect(approved.status).toBe(403)
    await first.call({ path: settings, body: { require_approval: false } })
  })
})

describe('an account that exists', () => {
  test('is not taken over while it has a password, unless an admin allows it', async () => {
    await adopt(false)
    const email = newEmail()
    const person = await addUser(first, { email, role: 'editor' })
    const body = { userName: email, displayName: 'Taken over' }
    const refused = await provider.send('POST', '/Users', body)
    expect([refused.status, refused.body.scimType]).toEqual([409, 'uniqueness'])
    expect(refused.body.detail).toContain('An admin can let SCIM take over such accounts')
    await adopt(true)
    const taken = await provider.send('POST', '/Users', body)
    expect([taken.status, taken.body.id]).toEqual([201, String(person.id)])
    expect((await first.call({ path: '/api/auth/me', as: person })).body.name).toBe('Taken over')
  })

  test('is never taken over when it is an admin with a password', async () => {
    await adopt(true)
    const refused = await provider.send('POST', '/Users', { userName: 'ADA@example.com' })
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('workspace admin')])
  })

  test('is taken over when it was invited and has no password', async () => {
    await adopt(false)
    const email = newEmail()
    const invited = await first.call({
      path: '/api/users/invitations',
      body: { email, name: 'Invited', role: 'viewer' },
    })
    expect(invited.status).toBe(200)
    expect(await provider.newUser(email)).toBe(String(invited.body.user.id))
  })

  test('keeps its address when it is an admin, invited and with single sign-on too', async () => {
    await adopt(true)
    for (const prepare of [
      async (email: string) => addUser(first, { email, role: 'editor' }),
      async (email: string) =>
        (
          await first.call({
            path: '/api/users/invitations',
            body: { email, name: 'Invited', role: 'viewer' },
          })
        ).body.user,
    ]) {
      const email = newEmail()
      const person = await prepare(email)
      const id = await provider.newUser(email)
      await first.call({ method: 'PATCH', path: `/api/users/${person.id}`, body: { role: 'admin' } })
      const change = { op: 'replace', path: 'userName', value: newEmail() }
      const renamed = await provider.patch(`/Users/${id}`, [change])
      expect([renamed.status, renamed.body.scimType]).toEqual([400, 'mutability'])
      expect(renamed.body.detail).toContain('does not change the e-mail address of a workspace admin')
      const kept = await first.call({ path: `/api/users/${person.id}` })
      expect(kept.body).toMatchObject({ email, email_unconfirmed_since: null })
      await first.call({ method: 'PATCH', path: `/api/users/${person.id}`, body: { role: 'viewer' } })
      expect((await provider.patch(`/Users/${id}`, [change])).status).toBe(200)
    }
  })

  test('keeps its address when it has become an admin with a password', async () => {
    await adopt(true)
    const email = newEmail()
    const person = await addUser(first, { email, role: 'editor' })
    const id = await provider.newUser(email)
    await first.call({ method: 'PATCH', path: `/api/users/${person.id}`, body: { role: 'admin' } })
    const renamed = await provider.patch(`/Users/${id}`, [
      { op: 'replace', path: 'userName', value: newEmail() },
    ])
    expect([renamed.status, renamed.body.scimType]).toEqual([400, 'mutability'])
  })

  test('is disabled as an admin, also where the request has another address', async () => {
    await adopt(true)
    const email = newEmail()
    const person = await addUser(first, { email, role: 'editor' })
    const id = await provider.newUser(email)
    await first.call({ method: 'PATCH', path: `/api/users/${person.id}`, body: { role: 'admin' } })
    const left = await provider.patch(`/Users/${id}`, [
      { op: 'replace', path: 'userName', value: newEmail() },
      { op: 'replace', path: 'active', value: false },
    ])
    expect(left.status).toBe(200)
    const { body } = await first.call({ path: `/api/users/${person.id}` })
    expect(body).toMatchObject({ email, disabled_at: expect.any(String) })
  })

  test('is not given an address that only the database takes for its own', async () => {
    await adopt(true)
    const email = newEmail()
    // The Kelvin sign, which becomes a k in lower case: another mailbox, which would receive its links.
    const [own = '', other = ''] = ['k', '\u212a'].map((letter) => email.replace('@', `${letter}@`))
    const person = await addUser(first, { email: own, role: 'editor' })
    const taken = await provider.send('POST', '/Users', { userName: other })
    expect([taken.status, taken.body.scimType]).toEqual([409, 'uniqueness'])
    const id = await provider.newUser(own)
    await first.call({ method: 'PATCH', path: `/api/users/${person.id}`, body: { role: 'admin' } })
    const renamed = await provider.patch(`/Users/${id}`, [{ op: 'replace', path: 'userName', value: other }])
    expect([renamed.status, renamed.body.scimType]).toEqual([400, 'mutability'])
  })
})

describe('the groups of SCIM', () => {
  test('give and take roles by name and by external id', async () => {
    await map('developers', 'editor')
    await map('8aa1a0c0-external', 'viewer')
    const id = await provider.newUser(newEmail())
    const group = await provider.newGroup('developers', [id])
    expect(await memberships(id)).toMatchObject([{ role: 'editor' }])
    await setMembers(group, 'Remove', [id])
    expect(await memberships(id)).toEqual([])
    await setMembers(group, 'Add', [id])
    await provider.patch(`/Groups/${group}`, [
      { op: 'replace', value: { displayName: 'other', externalId: '8aa1a0c0-external' } },
    ])
    expect(await memberships(id)).toMatchObject([{ role: 'viewer' }])
    await provider.send('DELETE', `/Groups/${group}`)
    expect(await memberships(id)).toEqual([])
  })

  test('count when the table of groups changes', async () => {
    const id = await provider.newUser(newEmail())
    await provider.newGroup('later', [id])
    const mapping = await map('later', 'editor')
    expect(await memberships(id)).toMatchObject([{ role: 'editor' }])
    await first.call({ method: 'DELETE', path: `/api/workspace/sso/mappings/${mapping.body.id}` })
    expect(await memberships(id)).toEqual([])
  })

  test('give nothing any more to a deleted user', async () => {
    await map('leavers', 'editor')
    const id = await provider.newUser(newEmail())
    await provider.newGroup('leavers', [id])
    expect(await memberships(id)).toHaveLength(1)
    await provider.send('DELETE', `/Users/${id}`)
    expect(await memberships(id)).toEqual([])
  })

  test('have members that SCIM manages, and no others', async () => {
    const stranger = await addUser(first, { email: newEmail(), role: 'editor' })
    const id = await provider.newUser(newEmail())
    const body = { displayName: 'strangers', members: [{ value: id }, { value: String(stranger.id) }] }
    const refused = await provider.send('POST', '/Groups', body)
    expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining(String(stranger.id))])
    expect((await provider.send('GET', `/Users/${stranger.id}`)).status).toBe(404)
  })

  test('do not wait for an instance that stopped before the roles were given', async () => {
    await map('crash', 'editor')
    const id = await provider.newUser(newEmail())
    const group = await provider.newGroup('crash')
    await first.database.pool.query('insert into scim_members (group_id, user_id) values ($1, $2)', [
      group,
      id,
    ])
    await first.database.pool.query(
      `insert into waiting_group_changes (user_id, requested_by) values ($1, 'scim')`,
      [id],
    )
    await first.database.pool.query('update workspace set groups_revision = groups_revision + 1')
    await eventually(async () => (await memberships(id)).length === 1, 60_000)
  })
})

describe('the last admin', () => {
  let admin: string
  let group: string

  test('may come from a group, and is then neither disabled, deleted nor demoted', async () => {
    await map('admins', 'admin', null)
    admin = await provider.newUser(newEmail())
    group = await provider.newGroup('admins', [admin])
    expect((await first.call({ path: `/api/users/${admin}` })).body.role).toBe('admin')
    const others = `update users set role = 'editor' where role = 'admin' and id <> $1`
    await first.database.pool.query(others, [Number(admin)])
    const refused = async (attempt: ReturnType<Provider['send']>) => {
      const { body, status } = await attempt
      expect([status, body.scimType]).toEqual([400, 'mutability'])
      expect(body.detail).toContain('the last admin of the workspace')
    }
    await refused(provider.patch(`/Users/${admin}`, [{ op: 'replace', path: 'active', value: false }]))
    await refused(provider.send('DELETE', `/Users/${admin}`))
    await refused(setMembers(group, 'Remove', [admin]))
    await refused(
      provider.patch(`/Groups/${group}`, [{ op: 'replace', path: 'displayName', value: 'no admins' }]),
    )
    await refused(provider.send('PUT', `/Groups/${group}`, { displayName: 'admins', members: [] }))
    await refused(provider.send('DELETE', `/Groups/${group}`))
    await first.database.pool.query(`update users set role = 'admin' where email = 'ada@example.com'`)
    expect((await setMembers(group, 'Remove', [admin])).status).toBe(204)
    expect((await first.call({ path: `/api/users/${admin}` })).body.role).toBe('viewer')
  })
})
