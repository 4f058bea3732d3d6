import type { Answer, TestServer } from '../harness/start-test-server.ts'

export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** An identity provider that sends requests of SCIM. */
export interface Provider {
  readonly token: string
  send(method: string, path: string, body?: unknown, on?: TestServer): Promise<Answer>
  patch(path: string, operations: readonly object[], on?: TestServer): Promise<Answer>
  /** Creates a user with an e-mail address, and returns their id. */
  newUser(email: string, more?: object): Promise<string>
  /** Creates a group, and returns its id. */
  newGroup(displayName: string, members?: readonly string[]): Promise<string>
}

/** Starts SCIM on a server, in place of an earlier token. */
export async function startProvider(server: TestServer): Promise<Provider> {
  const created = await server.call({ method: 'POST', path: '/api/workspace/scim/token' })
  if (created.status !== 200) throw new Error(`no token: ${JSON.stringify(created.body)}`)
  const { token } = created.body
  const send: Provider['send'] = (method, path, body, on = server) =>
    on.call({
      method,
      path: `/scim/v2${path}`,
      as: { bearer: token },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      headers: { 'content-type': 'application/scim+json; charset=utf-8' },
    })
  const idOf = ({ body, status }: Answer): string => {
    if (status !== 201) throw new Error(`not created: ${status} ${JSON.stringify(body)}`)
    return body.id
  }
  return {
    token,
    send,
    patch: (path, operations, on) => send('PATCH', path, { schemas: [PATCH], Operations: operations }, on),
    newUser: async (email, more) =>
      idOf(await send('POST', '/Users', { schemas: [USER], userName: email, ...more })),
    newGroup: async (displayName, members = []) =>
      idOf(
        await send('POST', '/Groups', {
          schemas: [GROUP],
          displayName,
          members: members.map((value) => ({ value })),
        }),
      ),
  }
}
