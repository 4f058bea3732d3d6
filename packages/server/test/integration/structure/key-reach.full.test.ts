import { ACCESS, type Endpoint, endpoints } from '@burgee/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addUser } from '../../harness/add-user.ts'
import { eventually } from '../../harness/eventually.ts'
import { readStream } from '../../harness/read-stream.ts'
import { type As, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

interface CreatedKey {
  readonly id: number
  readonly key: string
  readonly parent_id: number | null
}
interface Place {
  readonly id: string
  readonly environments: readonly { readonly id: string }[]
  readonly sdk_key: CreatedKey
}

let made = 0
let place: Place
let env: string
beforeEach(async () => {
  made += 1
  place = (await server.call({ path: '/api/projects', body: { name: `Reach ${made}` } })).body
  env = place.environments[0]?.id ?? ''
})

const keysPath = () => `/api/projects/${place.id}/keys`
const environmentPath = () => `/api/projects/${place.id}/environments/${env}`
const as = ({ key }: { readonly key: string }): As => ({ bearer: key })

const mint = (by: As, over: object = {}) =>
  server.call({ path: keysPath(), as: by, body: { name: 'Minted', environment_id: env, ...over } })
const newKey = async (by: As = 'admin', over: object = {}): Promise<CreatedKey> => {
  const { body, status } = await mint(by, over)
  expect(status).toBe(200)
  return body
}
const listKeys = async (): Promise<CreatedKey[]> => (await server.call({ path: keysPath() })).body
const revoke = (id: number, query = '', by: As = 'admin') =>
  server.call({ method: 'DELETE', path: `${keysPath()}/${id}${query}`, as: by })
const statusOf = async (key: { readonly key: string }, path = '/flags/snapshot') =>
  (await server.call({ path, as: as(key) })).status
const auditOf = async (resource: string) => {
  const { body } = await server.call({ path: `/api/projects/${place.id}/audit?limit=200` })
  return body.filter(({ metadata }: { metadata: { resource?: string } }) => metadata.resource === resource)
}

describe('a reader key', () => {
  it('a reader key reads flags like a server key, reports, and is counted by its kind', async () => {
    const reader = await newKey('admin', { kind: 'reader' })
    const flag = {
      key: 'a',
      is_enabled: true,
      description: 'words',
      tags: ['t'],
      owner_email: 'o@example.com',
    }
    await server.call({ path: `/api/environments/${env}/flags`, body: flag })

    const snapshot = await server.call({ path: '/flags/snapshot', as: as(reader) })
    expect(snapshot.body).toMatchObject([flag])
    const stream = await readStream(`${server.url}/stream`, { authorization: `Bearer ${reader.key}` })
    await stream.until(({ event }) => event === 'ready')
    expect(stream.text()).toContain('"description":"words"')
    stream.close()

    const impressions = { path: `/api/environments/${env}/impressions`, as: as(reader) }
    expect((await server.call({ ...impressions, body: [{ flag_key: 'a', value: 'true' }] })).status).toBe(204)
    const events = { path: `/api/environments/${env}/events`, as: as(reader) }
    expect((await server.call({ ...events, body: [{ event_key: 'sold' }] })).status).toBe(204)
    expect((await server.call(impressions)).status).toBe(403)
    expect((await server.call({ path: `/api/environments/${env}/flags`, as: as(reader) })).status).toBe(403)
  })

  it('a reader key creates and revokes no keys', async () => {
    const reader = await newKey('admin', { kind: 'reader' })
    for (const kind of ['reader', 'server', 'client'])
      expect((await mint(as(reader), { kind })).status).toBe(403)
    expect((await revoke(reader.id, '', as(reader))).status).toBe(403)
  })
})

describe('keys created with a key', () => {
  it('a key has the id of the key that created it as parent_id; one that a user created has none', async () => {
    const child = await newKey(as(place.sdk_key), { kind: 'reader' })
    const grandparent = await newKey()

    expect(place.sdk_key.parent_id).toBeNull()
    expect(child.parent_id).toBe(place.sdk_key.id)
    expect(grandparent.parent_id).toBeNull()
    expect((await listKeys()).map(({ id, parent_id }) => [id, parent_id])).toEqual([
      [place.sdk_key.id, null],
      [child.id, place.sdk_key.id],
      [grandparent.id, null],
    ])
  })

  it('a key stays valid when its parent is revoked alone, and moves to the parent above', async () => {
    const root = await newKey()
    const middle = await newKey(as(root))
    const leaf = await newKey(as(middle))

    expect((await revoke(middle.id)).status).toBe(204)
    expect(await statusOf(leaf)).toBe(200)
    expect((await listKeys()).find(({ id }) => id === leaf.id)?.parent_id).toBe(root.id)

    expect((await revoke(root.id)).status).toBe(204)
    // The list shows that it came from a key that does not exist any more.
    expect((await listKeys()).find(({ id }) => id === leaf.id)?.parent_id).toBe(root.id)
    expect(await statusOf(leaf)).toBe(200)
  })

  it('a key is revoked with its parent by children=true, immediately, each with its audit entry', async () => {
    const root = await newKey()
    const [one, two] = [await newKey(as(root)), await newKey(as(root), { kind: 'client' })]
    const leaf = await newKey(as(one))
    const other = await newKey(as(place.sdk_key))
    expect(await Promise.all([root, one, two, leaf, other].map((key) => statusOf(key)))).toEqual([
      200, 200, 200, 200, 200,
    ])

    expect((await revoke(root.id, '?children=true')).status).toBe(204)

    expect(await Promise.all([root, one, two, leaf].map((key) => statusOf(key)))).toEqual([
      401, 401, 401, 401,
    ])
    expect(await statusOf(other)).toBe(200)
    for (const { id } of [root, one, two, leaf]) {
      const [deleted] = await auditOf(`sdk_key:${id}`)
      expect(deleted).toMatchObject({ action: 'delete', before_data: { id } })
      expect(deleted.metadata.revoked_with).toBe(id === root.id ? undefined : `sdk_key:${root.id}`)
    }
  })

  it('revoking a tree is 422 and revokes nothing when no key of the project would be left', async () => {
    const child = await newKey(as(place.sdk_key))

    const { body, status } = await revoke(place.sdk_key.id, '?children=true')

    expect(status).toBe(422)
    expect(body.error).toContain('all SDK keys of the project')
    expect(await Promise.all([place.sdk_key, child].map((key) => statusOf(key)))).toEqual([200, 200])
    expect((await revoke(place.sdk_key.id)).status).toBe(204)
  })

  it('a key never outlives a concurrent revocation of its tree', async () => {
    for (let round = 0; round < 5; round += 1) {
      const root = await newKey()
      const minting = Array.from({ length: 8 }, () => mint(as(root)))
      const [revoked, ...minted] = await Promise.all([revoke(root.id, '?children=true'), ...minting])
      expect(revoked.status).toBe(204)
      for (const { status } of minted) expect([200, 401]).toContain(status)
      expect((await listKeys()).filter(({ parent_id }) => parent_id === root.id)).toEqual([])
    }
  })

  it('a key cannot be created on another instance with a key that was just revoked', async () => {
    const other = await startTestServer({ database: server.database })
    try {
      const root = await newKey()
      const call = { path: keysPath(), as: as(root), body: { name: 'Late', environment_id: env } }
      expect((await other.call(call)).status).toBe(200)
      await server.database.db.deleteFrom('sdk_keys').where('id', '=', root.id).execute()
      // The other instance has not been notified: it still knows the key.
      expect((await other.call({ path: '/flags/snapshot', as: as(root) })).status).toBe(200)
      expect((await other.call(call)).status).toBe(401)
    } finally {
      await other.close()
    }
  })
})

/** The endpoints that manage an environment, from the contract itself. */
const MANAGING = Object.entries<Endpoint>(endpoints).filter(([, { access }]) =>
  ACCESS[access].keys.startsWith('managing'),
)

describe('keys_may_manage', () => {
  const patch = (body: object, by: As = 'admin') =>
    server.call({ method: 'PATCH', path: environmentPath(), body, as: by })
  const requireApproval = (body: object, by: As = 'admin') =>
    server.call({ path: `${environmentPath()}/require-approval`, body, as: by })
  const patchWorkspace = (body: object) => server.call({ method: 'PATCH', path: '/api/workspace', body })

  /** Calls every endpoint that manages with the key for its own environment. */
  async function statuses(key: CreatedKey): Promise<Record<string, number>> {
    const victim = await newKey()
    const webhook = { name: 'w', url: 'http://127.0.0.1:9/', enabled: false }
    const hook = await server.call({ path: `/api/environments/${env}/webhooks`, body: webhook })
    const chat = { kind: 'slack', name: 'c', webhook_url: 'http://127.0.0.1:9/', enabled: false }
    const integration = await server.call({ path: `/api/environments/${env}/integrations`, body: chat })
    const entries = MANAGING.map(async ([name, { method, path }]) => {
      const id = path.includes('/keys')
        ? victim.id
        : path.includes('/webhooks')
          ? hook.body.id
          : integration.body.id
      const filled = path
        .replace(':project_id', place.id)
        .replace(':env_id', env)
        .replace(':delivery_id', '1')
        .replace(':id', id)
      const { body, status } = await server.call({ method, path: filled, as: as(key), body: BODIES[name] })
      if (status === 403) expect(body.error).toContain('keys_may_manage is off')
      return [name, status] as const
    })
    return Object.fromEntries(await Promise.all(entries))
  }
  const BODIES: Record<string, object | undefined> = {
    createSdkKey: { name: 'x', environment_id: '00000000-0000-4000-8000-000000000000' },
    updateEnvironment: { color: '#123456' },
    requireApproval: { require_approval: false },
    createWebhook: { name: 'x', url: 'http://127.0.0.1:9/', enabled: false },
    updateWebhook: { enabled: false },
    createIntegration: { kind: 'slack', name: 'x', webhook_url: 'http://127.0.0.1:9/', enabled: false },
    updateIntegration: { enabled: false },
  }
  const refusedEverywhere = ({ redeliverWebhookDelivery, ...seen }: Record<string, number>) => {
    // There is no such delivery, which is reported first.
    expect(redeliverWebhookDelivery).toBe(404)
    expect(new Set(Object.values(seen))).toEqual(new Set([403]))
  }

  it('keys_may_manage is true at first, and keys can manage', async () => {
    const { body } = await server.call({ path: `/api/projects/${place.id}/environments` })
    expect(body.map(({ keys_may_manage }: { keys_may_manage: boolean }) => keys_may_manage)).toEqual([
      true,
      true,
      true,
    ])
    expect((await server.call({ path: '/api/workspace' })).body.keys_may_manage).toBe(true)
    expect((await mint(as(place.sdk_key))).status).toBe(200)
  })

  it('keys_may_manage applies to endpoints of every kind', () => {
    const names = MANAGING.map(([name]) => name)
    expect(names).toEqual(
      expect.arrayContaining(['createSdkKey', 'revokeSdkKey', 'updateEnvironment', 'requireApproval']),
    )
    expect(names.filter((name) => /webhook/i.test(name))).toHaveLength(7)
    expect(names.filter((name) => /integration/i.test(name))).toHaveLength(7)
  })

  it('keys_may_manage false refuses the keys of the environment everywhere, with who can do it instead', async () => {
    expect((await patch({ keys_may_manage: false })).body.keys_may_manage).toBe(false)

    refusedEverywhere(await statuses(place.sdk_key))
    // Flags, what reads them, and the list of keys are not management.
    const flag = {
      path: `/api/environments/${env}/flags`,
      as: as(place.sdk_key),
      body: { key: 'a', is_enabled: true },
    }
    expect((await server.call(flag)).status).toBe(200)
    expect(await statusOf(place.sdk_key)).toBe(200)
    expect(await statusOf(place.sdk_key, keysPath())).toBe(200)
    expect((await server.call({ path: keysPath(), as: 'admin' })).status).toBe(200)

    expect((await patch({ keys_may_manage: true })).status).toBe(200)
    expect((await mint(as(place.sdk_key))).status).toBe(200)
  })

  it('keys_may_manage false does not affect keys of other environments', async () => {
    const other = place.environments[1]?.id ?? ''
    const key = await newKey('admin', { environment_id: other })
    await patch({ keys_may_manage: false })
    expect((await mint(as(key), { environment_id: other })).status).toBe(200)
  })

  it('keys_may_manage false of the workspace refuses the keys of every environment; only workspace admins set it', async () => {
    try {
      const { body, status } = await patchWorkspace({ keys_may_manage: false })
      expect({ body, status }).toMatchObject({ status: 200, body: { keys_may_manage: false } })
      refusedEverywhere(await statuses(place.sdk_key))
      expect((await server.call({ path: '/api/workspace', as: as(place.sdk_key) })).status).toBe(403)
      // Users who cannot read the setting of the workspace see its effect.
      const member = await addUser(server, {
        email: `viewer-${made}@example.com`,
        memberOf: { [place.id]: 'viewer' },
      })
      const path = `/api/projects/${place.id}/environments`
      const seen = await server.call({ path, as: { cookie: member.cookie } })
      const off = { keys_may_manage: true, keys_may_manage_effective: false }
      expect(seen.body).toMatchObject([off, off, off])
      expect((await patch({ color: '#123456' })).body).toMatchObject(off)
      expect((await server.call({ path: '/api/auth/workspace' })).body).toEqual({
        workspace_name: body.workspace_name,
      })
    } finally {
      await patchWorkspace({ keys_may_manage: true })
    }
    expect((await mint(as(place.sdk_key))).status).toBe(200)
  })

  it('keys_may_manage applies to the legacy SDK_KEY too', async () => {
    const legacy = { key: 'legacy-key-of-this-test' }
    const second = await startTestServer({ database: server.database, env: { SDK_KEY: legacy.key } })
    try {
      const { development } = server.environments
      const call = {
        method: 'PATCH',
        path: `/api/projects/${server.project.id}/environments/${development}`,
      }
      expect((await second.call({ ...call, as: as(legacy), body: { color: '#123456' } })).status).toBe(200)
      await second.call({ ...call, body: { keys_may_manage: false } })
      expect((await second.call({ ...call, as: as(legacy), body: { color: '#123456' } })).status).toBe(403)
      await second.call({ ...call, body: { keys_may_manage: true } })
    } finally {
      await second.close()
    }
  })

  it('keys_may_manage reaches other instances within the poll', async () => {
    const other = await startTestServer({ database: server.database })
    try {
      const call = {
        method: 'PATCH',
        path: environmentPath(),
        as: as(place.sdk_key),
        body: { color: '#123456' },
      }
      expect((await other.call(call)).status).toBe(200)
      await patch({ keys_may_manage: false })
      await eventually(async () => (await other.call(call)).status === 403)
    } finally {
      await other.close()
    }
  })

  it('keys_may_manage is set by users: a key cannot change it, but may repeat it', async () => {
    const key = as(place.sdk_key)
    expect((await patch({ keys_may_manage: true, color: '#123456' }, key)).status).toBe(200)
    expect((await patch({ keys_may_manage: false }, key)).status).toBe(403)
    const keep = { require_approval: true, approval_scope: 'all', keys_may_manage: true }
    expect((await requireApproval(keep, key)).status).toBe(403)
    const { body } = await requireApproval({ require_approval: true, approval_scope: 'all' }, key)
    expect(body).toMatchObject({ approval_scope: 'all', keys_may_manage: false })
    expect((await requireApproval({ require_approval: true, approval_scope: 'all' }, key)).status).toBe(403)
  })

  it('keys_may_manage becomes false with the scope all, unless the call sets it', async () => {
    const all = { require_approval: true, approval_scope: 'all' }
    const shown = async (body: object) => (await requireApproval(body)).body.keys_may_manage
    expect(await shown({ require_approval: true })).toBe(true)
    expect(await shown(all)).toBe(false)
    await patch({ keys_may_manage: true })
    // All of it was already so.
    expect(await shown(all)).toBe(true)
    expect(await shown({ require_approval: false })).toBe(true)
    expect(await shown({ ...all, keys_may_manage: true })).toBe(true)
    expect(await shown({ require_approval: true, approval_scope: 'patch', keys_may_manage: false })).toBe(
      false,
    )
    expect(await shown(all)).toBe(false)
  })

  it('keys_may_manage is set by admins of the project, and audited', async () => {
    const member = await addUser(server, {
      email: `editor-${made}@example.com`,
      memberOf: { [place.id]: 'editor' },
    })
    expect((await patch({ keys_may_manage: false }, { cookie: member.cookie })).status).toBe(403)
    const changed = await patch({ keys_may_manage: false })
    expect(changed.body).toMatchObject({ keys_may_manage: false, keys_may_manage_effective: false })
    const [entry] = await auditOf(`environment:${env}`)
    expect(entry).toMatchObject({
      before_data: { keys_may_manage: true },
      after_data: { keys_may_manage: false },
    })
    expect(entry.after_data).not.toHaveProperty('keys_may_manage_effective')
    expect((await patch({ keys_may_manage: null })).status).toBe(422)
    expect((await patch({ keys_may_manage: 'no' })).status).toBe(422)
  })
})

describe('credentials in the audit log', () => {
  it('the audit log has the credential and the address of a write', async () => {
    const key = await newKey()
    const flags = `/api/environments/${env}/flags`
    await server.call({ path: flags, as: as(key), body: { key: 'by-key', is_enabled: true } })
    await server.call({ path: flags, body: { key: 'by-person', is_enabled: true } })
    const token = (await server.call({ path: '/api/tokens', body: { name: 't', scope: 'read_write' } })).body
    await server.call({
      path: flags,
      as: { bearer: token.token },
      body: { key: 'by-token', is_enabled: true },
    })

    const { body } = await server.call({ path: `/api/environments/${env}/audit` })
    const audited = Object.fromEntries(
      body.map(({ flag_key, metadata }: { flag_key: string; metadata: object }) => [flag_key, metadata]),
    )
    const address = '127.0.0.1'
    expect(audited['by-key']).toMatchObject({ address, credential: { kind: 'sdk_key', id: key.id } })
    expect(audited['by-token']).toMatchObject({ address, credential: { kind: 'access_token', id: token.id } })
    expect(audited['by-person']).toMatchObject({
      address,
      credential: { kind: 'session', id: expect.any(String) },
    })
  })
})

describe('reviews of requests by keys', () => {
  const flags = () => `/api/environments/${env}/flags`
  const guard = (approval_scope: 'patch' | 'all') =>
    server.call({
      path: `${environmentPath()}/require-approval`,
      body: { require_approval: true, approval_scope },
    })
  const ask = async (by: As): Promise<number> => {
    const body = { rollout_percentage: made }
    const { body: request, status } = await server.call({
      method: 'PATCH',
      path: `${flags()}/a`,
      as: by,
      body,
    })
    expect(status).toBe(202)
    return request.id
  }
  const decide = async (id: number, decision: 'approve' | 'reject', by: As) =>
    (
      await server.call({
        method: 'POST',
        path: `/api/environments/${env}/change-requests/${id}/${decision}`,
        as: by,
      })
    ).status
  const newPerson = async () => {
    const user = await addUser(server, {
      email: `admin-${made}-${Math.random()}@example.com`,
      memberOf: { [place.id]: 'admin' },
    })
    return { cookie: user.cookie } as const
  }
  beforeEach(() => server.call({ path: flags(), body: { key: 'a', is_enabled: true } }))

  it.each(['patch', 'all'] as const)(
    'the creator of a key may not approve its requests: %s',
    async (scope) => {
      const creator = await newPerson()
      const key = await newKey(creator)
      const minted = await newKey(as(key))
      await guard(scope)
      for (const requester of [key, minted]) {
        const id = await ask(as(requester))
        expect(await decide(id, 'approve', creator)).toBe(403)
        expect(await decide(id, 'approve', 'admin')).toBe(200)
      }
    },
  )

  it('users cannot approve with their key what they requested, or with one key what another of theirs did', async () => {
    const creator = await newPerson()
    const [one, two] = [await newKey(creator), await newKey(creator)]
    await guard('patch')
    expect(await decide(await ask(creator), 'approve', as(one))).toBe(403)
    const id = await ask(as(two))
    expect(await decide(id, 'approve', as(one))).toBe(403)
    expect(await decide(id, 'approve', as(place.sdk_key))).toBe(200)
  })

  it("the key of the project counts as independent with the scope patch, and as its creator's with all", async () => {
    await guard('patch')
    expect(await decide(await ask(as(place.sdk_key)), 'approve', 'admin')).toBe(200)
    await guard('all')
    const id = await ask(as(place.sdk_key))
    expect(await decide(id, 'approve', 'admin')).toBe(403)
    expect(await decide(id, 'approve', await newPerson())).toBe(200)
  })

  it('with the scope all a key can request but neither approve nor reject', async () => {
    const key = as(await newKey())
    await guard('all')
    const id = await ask('admin')
    expect(await decide(id, 'approve', key)).toBe(403)
    expect(await decide(id, 'reject', key)).toBe(403)
    expect(await decide(id, 'reject', 'admin')).toBe(204)
  })
})
