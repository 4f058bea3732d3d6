import { PERMISSIONS } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../authorization/caller.ts'
import { createWorld, putFlag, type World } from '../../authorization/world.ts'
import { addUser } from '../../harness/add-user.ts'
import { eventually } from '../../harness/eventually.ts'
import { readStream } from '../../harness/read-stream.ts'
import { createRole, memberWith } from '../../roles/members.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world?.server.close())

const roles = (method: string, path = '', body?: unknown) =>
  world.server.call({ method, path: `/api/roles${path}`, ...(body !== undefined && { body }) })

const send = (caller: Caller, method: string, path: string, body?: unknown) =>
  world.server.call({
    method,
    path,
    as: 'anonymous',
    headers: caller.headers,
    ...(body !== undefined && { body }),
  })

const memberPath = (user_id: number | null) => `/api/projects/${world.home.project_id}/members/${user_id}`

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-/
const nameOf = async (environment_id: string): Promise<string> => {
  const path = `/api/projects/${world.home.project_id}/environments/${environment_id}`
  return (await world.server.call({ path })).body.name
}

const setRoles = (user_id: number | null, body: unknown) =>
  world.server.call({ method: 'PATCH', path: memberPath(user_id), body })

describe('the stream of a user', () => {
  it('a role without read_environment in an environment ends its updates within a second', async () => {
    const { environment_id } = world.home
    const caller = await memberWith(world, 'viewer')
    const none = await createRole(world, [])
    const { cookie = '' } = caller.headers
    const stream = await readStream(`${world.server.url}/stream`, { cookie })
    await stream.until(({ event }) => event === 'ready')

    const changed = await setRoles(caller.user_id, { environment_roles: [{ environment_id, role: none }] })
    expect(changed.body).toMatchObject({
      role: 'viewer',
      environment_roles: [{ environment_id, role: none }],
    })
    const refused = await send(caller, 'GET', `/api/environments/${environment_id}/flags`)
    expect(refused.status).toBe(403)
    expect(refused.body.error).toContain(
      `the permission read_environment, which your role ${none} in the environment`,
    )
    await eventually(async () => {
      const hidden = await putFlag(world, environment_id)
      const shown = await putFlag(world, world.home.otherEnvironmentId)
      await stream.until(({ data, event }) => event === 'update' && data.flag?.key === shown.key)
      return !stream.events.some(({ data }) => data.flag?.key === hidden.key)
    })
    stream.close()
  })
})

describe('roles in single environments', () => {
  it('keys of an environment are neither listed nor found where the role there permits no reading', async () => {
    const { environment_id, otherEnvironmentId, project_id } = world.home
    const path = `/api/projects/${project_id}/keys`
    const made = [environment_id, otherEnvironmentId].map(async (id) => {
      const body = { name: world.newName('key'), environment_id: id, kind: 'reader' }
      return (await world.server.call({ path, body })).body.id
    })
    const [hidden, seen] = await Promise.all(made)
    const caller = await memberWith(world, 'viewer')
    const statuses = async () =>
      Promise.all([hidden, seen].map(async (id) => (await send(caller, 'GET', `${path}/${id}`)).status))
    const places = async () => {
      const { body } = await send(caller, 'GET', path)
      return new Set(body.map((key: { environment_id: string }) => key.environment_id))
    }
    expect(await statuses()).toEqual([200, 200])
    expect(await places()).toContain(environment_id)

    const none = await createRole(world, [])
    await setRoles(caller.user_id, { environment_roles: [{ environment_id, role: none }] })

    expect(await statuses()).toEqual([404, 200])
    const left = await places()
    expect(left).toContain(otherEnvironmentId)
    expect(left).not.toContain(environment_id)
  })

  it('an editor who is a viewer in one environment changes flags in the others only', async () => {
    const { environment_id, otherEnvironmentId, project_id } = world.home
    const caller = await memberWith(world, 'editor')
    await setRoles(caller.user_id, { environment_roles: [{ environment_id, role: 'viewer' }] })
    const create = (id: string) =>
      send(caller, 'POST', `/api/environments/${id}/flags`, { key: world.newName('f'), is_enabled: true })
    expect((await create(environment_id)).status).toBe(403)
    expect((await create(otherEnvironmentId)).status).toBe(200)

    const { key } = await putFlag(world, otherEnvironmentId)
    const promote = await send(
      caller,
      'POST',
      `/api/environments/${otherEnvironmentId}/flags/${key}/promote`,
      {
        target_env_id: environment_id,
      },
    )
    expect(promote.status).toBe(403)
    expect(promote.body.error).toContain('write_flags')

    const own = await send(caller, 'GET', `/api/projects/${project_id}/access`)
    expect(own.body).toMatchObject({
      is_workspace_admin: false,
      role: 'editor',
      environments: [{ environment_id, role: 'viewer' }],
    })
    const lifted = await setRoles(caller.user_id, { environment_roles: [{ environment_id, role: null }] })
    expect(lifted.body).not.toHaveProperty('environment_roles')
    expect((await create(environment_id)).status).toBe(200)
  })

  it('a role in an environment of another project is 422, and nothing is changed', async () => {
    const caller = await memberWith(world, 'viewer')
    const { body, status } = await setRoles(caller.user_id, {
      role: 'editor',
      environment_roles: [{ environment_id: world.abroad.environment_id, role: 'viewer' }],
    })
    expect(status).toBe(422)
    expect(body.details[0].path).toBe('/environment_roles/0/environment_id')
    const own = await send(caller, 'GET', `/api/projects/${world.home.project_id}/access`)
    expect(own.body.role).toBe('viewer')
  })

  it('removing a member removes the roles in environments', async () => {
    const { environment_id } = world.home
    const caller = await memberWith(world, 'viewer')
    await setRoles(caller.user_id, { environment_roles: [{ environment_id, role: 'admin' }] })
    await world.server.call({ method: 'DELETE', path: memberPath(caller.user_id) })
    expect((await send(caller, 'GET', `/api/environments/${environment_id}/flags`)).status).toBe(403)
    const { body } = await world.server.call({
      path: `/api/projects/${world.home.project_id}/members`,
      body: { user_id: caller.user_id, role: 'viewer' },
    })
    expect(body).not.toHaveProperty('environment_roles')
  })
})

describe('roles that groups of the identity provider gave', () => {
  it('naming the same role keeps it theirs, and an override outlives their membership', async () => {
    const { environment_id, project_id } = world.home
    const { db } = world.server.database
    const { user_id } = await memberWith(world, 'editor')
    if (user_id === null) throw new Error('a member is a user')
    const membership = { project_id, user_id, role: 'editor', source: 'groups' } as const
    const ofUser = () => db.selectFrom('project_members').selectAll().where('user_id', '=', user_id)
    await db.updateTable('project_members').set({ source: 'groups' }).where('user_id', '=', user_id).execute()

    const override = { environment_id, role: 'viewer' }
    await setRoles(user_id, { role: 'editor', environment_roles: [override] })
    expect(await ofUser().executeTakeFirst()).toMatchObject({ role: 'editor', source: 'groups' })
    await db.deleteFrom('project_members').where('user_id', '=', user_id).execute()
    await db.insertInto('project_members').values(membership).execute()
    const { body } = await world.server.call({ path: memberPath(user_id) })
    expect(body.environment_roles).toEqual([override])
    await setRoles(user_id, { role: 'viewer' })
    expect(await ofUser().executeTakeFirst()).toMatchObject({ source: 'manual' })
  })
})

describe('what a role that reads the project alone hides', () => {
  it('SDK keys are neither listed nor found without read_environment', async () => {
    const { environment_id, project_id } = world.home
    const path = `/api/projects/${project_id}/keys`
    const body = { name: world.newName('key'), environment_id, kind: 'reader' }
    const { id } = (await world.server.call({ path, body })).body
    const caller = await memberWith(world, await createRole(world, ['read_project']))
    const list = await send(caller, 'GET', path)
    expect([list.status, list.body]).toEqual([200, []])
    expect((await send(caller, 'GET', `${path}/${id}`)).status).toBe(404)
    const reader = await memberWith(world, await createRole(world, ['read_project', 'read_environment']))
    expect((await send(reader, 'GET', `${path}/${id}`)).status).toBe(200)
  })

  it('notes about drift are only for those who may read both environments', async () => {
    const { environment_id, otherEnvironmentId, project_id } = world.home
    const none = await createRole(world, [])
    const caller = await memberWith(world, 'admin')
    await setRoles(caller.user_id, { environment_roles: [{ environment_id, role: none }] })
    const flag_key = world.newName('noted')
    const path = `/api/projects/${project_id}/drift-notes`
    const note = { source: environment_id, target: otherEnvironmentId, reason: 'A secret plan' }
    const body = { ...note, owner_email: 'ada@example.com' }
    expect((await send(caller, 'PUT', `${path}/${flag_key}`, body)).status).toBe(403)
    expect((await world.server.call({ method: 'PUT', path: `${path}/${flag_key}`, body })).status).toBe(200)
    const keysFor = async (as: Caller) =>
      (await send(as, 'GET', path)).body.map((one: { flag_key: string }) => one.flag_key)
    expect(await keysFor(caller)).not.toContain(flag_key)
    expect((await send(caller, 'DELETE', `${path}/${flag_key}`)).status).toBe(404)
    const audit = async (as: Caller) =>
      JSON.stringify((await send(as, 'GET', `/api/projects/${project_id}/audit?limit=200`)).body)
    expect(await audit(caller)).not.toContain('A secret plan')

    const reader = await memberWith(world, 'admin')
    expect(await keysFor(reader)).toContain(flag_key)
    expect(await audit(reader)).toContain('A secret plan')
    expect((await send(reader, 'DELETE', `${path}/${flag_key}`)).status).toBe(204)
  })
})

describe('what a role in one environment hides', () => {
  it('the audit log of the project leaves out environments that the role there hides', async () => {
    const { environment_id, otherEnvironmentId, project_id } = world.home
    const caller = await memberWith(world, 'admin')
    const hidden = await putFlag(world, environment_id)
    const shown = await putFlag(world, otherEnvironmentId)
    const none = await createRole(world, [])
    await setRoles(caller.user_id, { environment_roles: [{ environment_id, role: none }] })
    const path = `/api/projects/${project_id}/audit`
    const { body } = await send(caller, 'GET', `${path}?limit=200`)
    const keys = body.map(({ flag_key }: { flag_key: string }) => flag_key)
    expect(keys).toContain(shown.key)
    expect(keys).not.toContain(hidden.key)
    const refused = await send(caller, 'GET', `${path}?environment_id=${environment_id}`)
    expect(refused.status).toBe(403)
    expect(refused.body.error).toContain(`in the environment ${await nameOf(environment_id)}, `)
    const auditor = await memberWith(world, await createRole(world, ['read_project_audit']))
    // The name of an environment of another project is not shown.
    const abroad = await send(auditor, 'GET', `${path}?environment_id=${world.abroad.environment_id}`)
    expect(abroad.body.error).toContain('in that environment, ')
    const seen = await send(auditor, 'GET', `${path}?limit=200`)
    expect(seen.body.filter((entry: { environment_id: string | null }) => entry.environment_id)).toEqual([])
  })

  it('unknown flags name no environment that the role there hides', async () => {
    const { environment_id, otherEnvironmentId } = world.home
    const caller = await memberWith(world, 'viewer')
    const { key } = await putFlag(world, otherEnvironmentId)
    await world.server.database.pool.query(
      'insert into unknown_flags (environment_id, flag_key, count, first_seen, last_seen) values ($1, $2, 1, now(), now())',
      [environment_id, key],
    )
    const path = `/api/environments/${environment_id}/unknown-flags`
    const because = async () =>
      (await send(caller, 'GET', path)).body.find((flag: { flag_key: string }) => flag.flag_key === key)
        .because
    expect(await because()).toMatchObject({ environments: [{ id: otherEnvironmentId }] })
    const none = await createRole(world, [])
    await setRoles(caller.user_id, {
      environment_roles: [{ environment_id: otherEnvironmentId, role: none }],
    })
    expect(await because()).not.toMatchObject({ reason: 'other_environments' })
  })

  it('an admin of one environment only does not make it the default of the project', async () => {
    const { environment_id, otherEnvironmentId, project_id } = world.home
    const caller = await memberWith(world, 'viewer')
    await setRoles(caller.user_id, {
      environment_roles: [{ environment_id: otherEnvironmentId, role: 'admin' }],
    })
    const path = `/api/projects/${project_id}/environments/${otherEnvironmentId}/default`
    const refused = await send(caller, 'POST', path)
    expect(refused.status).toBe(403)
    expect(refused.body.error).toContain(`in the environment ${await nameOf(environment_id)}, `)
    expect(refused.body.error).not.toMatch(UUID)
  })
})

describe('handing rights on', () => {
  it('a member who may manage members gives no role that permits more than their own', async () => {
    const { project_id } = world.home
    const role = await createRole(world, ['read_project', 'write_members'])
    const caller = await memberWith(world, role)
    const other = await addUser(world.server, { email: `${world.newName('other')}@example.com` })
    const add = (given: string) =>
      send(caller, 'POST', `/api/projects/${project_id}/members`, { user_id: other.id, role: given })

    const refused = await add('viewer')
    expect(refused.status).toBe(403)
    expect(refused.body.error).toContain('no more than your own role')
    expect((await add(role)).status).toBe(200)
    expect((await send(caller, 'PATCH', memberPath(other.id), { role: 'admin' })).status).toBe(403)
    expect((await send(caller, 'PATCH', memberPath(caller.user_id), { role: 'admin' })).status).toBe(403)
    const { environment_id } = world.home
    const override = { environment_roles: [{ environment_id, role: 'editor' }] }
    expect((await send(caller, 'PATCH', memberPath(caller.user_id), override)).status).toBe(403)
  })

  it('a member who may manage members neither removes nor demotes one with more rights', async () => {
    const caller = await memberWith(world, await createRole(world, ['write_members']))
    const editor = await memberWith(world, 'editor')
    const nothing = await createRole(world, [])
    expect((await send(caller, 'DELETE', memberPath(editor.user_id))).status).toBe(403)
    expect((await send(caller, 'PATCH', memberPath(editor.user_id), { role: nothing })).status).toBe(403)
  })

  it('a member who may manage members does not bring back a role in an environment that permits more', async () => {
    const { environment_id, project_id } = world.home
    const steward = await memberWith(world, await createRole(world, ['read_project', 'write_members']))
    const left = await memberWith(world, 'viewer')
    const override = { environment_id, role: 'admin' }
    await setRoles(left.user_id, { environment_roles: [override] })
    // What the end of a membership that a group gave leaves behind.
    const { db } = world.server.database
    await db
      .deleteFrom('project_members')
      .where('user_id', '=', left.user_id ?? 0)
      .execute()

    const path = `/api/projects/${project_id}/members`
    const { email } = (await send(left, 'GET', '/api/auth/me')).body
    const found = await send(steward, 'GET', `${path}/candidates?q=${encodeURIComponent(email)}`)
    expect(found.body).toMatchObject([{ user_id: left.user_id, environment_roles: [override] }])
    const nothing = await createRole(world, [])
    const refused = await send(steward, 'POST', path, { user_id: left.user_id, role: nothing })
    expect(refused.status).toBe(403)
    expect(refused.body.error).toContain('permit no more than your own role')
    expect((await send(left, 'GET', `/api/environments/${environment_id}/flags`)).status).toBe(403)

    const added = await world.server.call({ path, body: { user_id: left.user_id, role: nothing } })
    expect(added).toMatchObject({ status: 200, body: { role: nothing, environment_roles: [override] } })
  })

  it('an admin with another role in one environment does not give more than that role there', async () => {
    const { environment_id } = world.home
    const caller = await memberWith(world, 'admin')
    await setRoles(caller.user_id, { environment_roles: [{ environment_id, role: 'viewer' }] })
    const lift = { environment_roles: [{ environment_id, role: null }] }
    expect((await send(caller, 'PATCH', memberPath(caller.user_id), lift)).status).toBe(403)
    const viewer = await memberWith(world, 'viewer')
    expect((await send(caller, 'PATCH', memberPath(viewer.user_id), { role: 'editor' })).status).toBe(403)
  })

  it('a key permits no more than its creator may do', async () => {
    const { environment_id, project_id } = world.home
    const bare = await memberWith(world, await createRole(world, ['write_keys']))
    const body = { name: 'Key', environment_id, kind: 'reader' }
    expect((await send(bare, 'POST', `/api/projects/${project_id}/keys`, body)).status).toBe(403)
    const role = await createRole(world, ['write_keys', 'read_environment', 'ingest'])
    const caller = await memberWith(world, role)
    const create = (kind: string) =>
      send(caller, 'POST', `/api/projects/${project_id}/keys`, { name: 'Key', environment_id, kind })
    const refused = await create('server')
    expect(refused.status).toBe(403)
    expect(refused.body.error).toContain('A server key permits read_project')
    expect((await create('reader')).status).toBe(200)
    expect((await create('client')).status).toBe(200)
  })
})

describe('write_schedules without write_flags', () => {
  it('schedules a change for later, and none that is due at once', async () => {
    const { environment_id } = world.home
    const permissions = ['read_environment', 'write_schedules']
    const planner = await memberWith(world, await createRole(world, permissions))
    const { key } = await putFlag(world, environment_id)
    const path = `/api/environments/${environment_id}/flags/${key}`
    const schedule = (seconds: number, caller = planner) =>
      send(caller, 'POST', `${path}/scheduled-changes`, {
        scheduled_at: new Date(Date.now() + seconds * 1_000).toISOString(),
        patch: { description: 'scheduled' },
      })
    for (const seconds of [-3_600, 0, 1, 50]) {
      const refused = await schedule(seconds)
      expect(refused.status).toBe(403)
      expect(refused.body.error).toContain('needs the permission write_flags in the environment')
    }
    const later = await schedule(3_600)
    expect(later.status).toBe(200)
    expect((await send(planner, 'GET', `${path}/scheduled-changes`)).body).toHaveLength(1)

    const both = await memberWith(world, await createRole(world, [...permissions, 'write_flags']))
    expect((await schedule(-1, both)).status).toBe(200)
    // The role of the environment counts, not that of the project.
    const nothing = await createRole(world, permissions)
    await setRoles(both.user_id, { environment_roles: [{ environment_id, role: nothing }] })
    expect((await schedule(-1, both)).status).toBe(403)
  })
})

describe('the list of roles', () => {
  it('the built-in roles come first, with what they permit, and cannot be changed', async () => {
    const { body } = await roles('GET')
    expect(body.slice(0, 3).map(({ key }: { key: string }) => key)).toEqual(['viewer', 'editor', 'admin'])
    expect(body[2]).toMatchObject({ is_built_in: true, permissions: [...PERMISSIONS] })
    expect((await roles('PATCH', '/admin', { permissions: [] })).status).toBe(409)
    expect((await roles('DELETE', '/viewer')).status).toBe(409)
    expect((await roles('POST', '', { key: 'viewer', name: 'Mine', permissions: [] })).status).toBe(409)
  })

  it('a role that a member has is not deleted, and its permissions change at once', async () => {
    const key = await createRole(world, ['read_environment'])
    const caller = await memberWith(world, key)
    const read = () => send(caller, 'GET', `/api/environments/${world.home.environment_id}/flags`)
    expect((await read()).status).toBe(200)
    const held = await roles('DELETE', `/${key}`)
    expect(held.status).toBe(409)
    expect(held.body.error).toContain('One membership has the role')
    expect((await roles('PATCH', `/${key}`, { permissions: [] })).body.permissions).toEqual([])
    expect((await read()).status).toBe(403)
    await setRoles(caller.user_id, { role: 'viewer' })
    expect((await roles('DELETE', `/${key}`)).status).toBe(204)
    expect((await setRoles(caller.user_id, { role: key })).status).toBe(422)
  })

  it('a role that the approvers of an environment name is not deleted', async () => {
    const key = await createRole(world, ['review_changes'])
    const { environment_id, project_id } = world.home
    const path = `/api/projects/${project_id}/environments/${environment_id}/require-approval`
    const require = (approvers: object[]) =>
      world.server.call({ path, body: { require_approval: false, approvers } })
    expect((await require([{ role: key }])).status).toBe(200)
    expect((await roles('DELETE', `/${key}`)).status).toBe(409)
    expect((await require([])).status).toBe(200)
    expect((await roles('DELETE', `/${key}`)).status).toBe(204)
  })

  it.each([
    ['an unknown permission', { key: 'k', name: 'N', permissions: ['write_everything'] }],
    ['a permission of another kind', { key: 'k', name: 'N', permissions: ['workspace_admin'] }],
    ['a permission twice', { key: 'k', name: 'N', permissions: ['ingest', 'ingest'] }],
    ['an odd key', { key: 'No Key', name: 'N', permissions: [] }],
    ['a key of 65 characters', { key: 'k'.repeat(65), name: 'N', permissions: [] }],
    ['a blank name', { key: 'k', name: ' ', permissions: [] }],
  ])('%s is 422', async (_what, body) => {
    expect((await roles('POST', '', body)).status).toBe(422)
  })

  it('a workspace has at most 100 roles', async () => {
    const { body } = await roles('GET')
    const values = Array.from({ length: 100 - body.length }, (_, index) => ({
      key: `filler-${index}`,
      name: 'Filler',
      permissions: [],
    }))
    await world.server.database.db.insertInto('roles').values(values).execute()
    const refused = await roles('POST', '', { key: 'one-more', name: 'N', permissions: [] })
    expect(refused.status).toBe(409)
    expect(refused.body.error).toContain('at most 100 roles')
  })
})
