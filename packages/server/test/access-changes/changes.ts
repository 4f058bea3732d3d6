import { insertToken } from '../authorization/insert-token.ts'
import { ADMIN, type Call, cookieOf, type TestServer } from '../harness/start-test-server.ts'
import type { Credential, Key, Model, Person, Place, Random } from './model.ts'

const CREDENTIALS_MAX = 3
const KEYS_MAX = 4
const ROLES = ['viewer', 'editor', 'admin', 'custom-0', 'custom-1'] as const

export interface ChangeWorld {
  readonly model: Model
  readonly random: Random
  /** The instances. A change is made on any of them. */
  readonly servers: readonly TestServer[]
  readonly places: readonly Place[]
  readonly handProject: string
  readonly groupProject: string
  readonly group: string
}

/** A change that was made, and whom it concerns. */
export interface Changed {
  readonly what: string
  readonly people: readonly Person[]
}

type Change = (world: ChangeWorld, person: Person) => Promise<Changed | null>

async function send({ random, servers }: ChangeWorld, call: Call, expected = [200, 204]) {
  const answer = await random.pick(servers).call(call)
  if (!expected.includes(answer.status))
    throw new Error(`${call.method} ${call.path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer
}

const setRole: Change = async (world, person) => {
  const role = world.random.pick(ROLES)
  const path = `/api/projects/${world.handProject}/members`
  if (person.role === null) await send(world, { path, body: { user_id: person.id, role } })
  else await send(world, { method: 'PATCH', path: `${path}/${person.id}`, body: { role } })
  person.role = role
  return { what: `role ${role}`, people: [person] }
}

const removeMember: Change = async (world, person) => {
  if (person.role === null) return null
  await send(world, { method: 'DELETE', path: `/api/projects/${world.handProject}/members/${person.id}` })
  person.role = null
  person.overrides.clear()
  return { what: 'removed', people: [person] }
}

const setEnvironmentRole: Change = async (world, person) => {
  if (person.role === null) return null
  const ofHand = world.places.filter(({ project }) => project === world.handProject)
  const { environment: environment_id } = world.random.pick(ofHand)
  const role = world.random.below(3) === 0 ? null : world.random.pick(ROLES)
  const path = `/api/projects/${world.handProject}/members/${person.id}`
  await send(world, { method: 'PATCH', path, body: { environment_roles: [{ environment_id, role }] } })
  if (role === null) person.overrides.delete(environment_id)
  else person.overrides.set(environment_id, role)
  return { what: `environment role ${role}`, people: [person] }
}

const changeCustomRole: Change = async (world) => {
  const { model, random } = world
  const key = random.pick([...model.customRoles.keys()])
  const grant = { read: random.below(2) === 0, write: random.below(2) === 0 }
  const permissions = [...(grant.read ? ['read_environment'] : []), ...(grant.write ? ['write_flags'] : [])]
  await send(world, { method: 'PATCH', path: `/api/roles/${key}`, body: { permissions } })
  model.customRoles.set(key, grant)
  return { what: `${key} ${permissions}`, people: model.people }
}

const setWorkspaceRole: Change = async (world, person) => {
  const role = person.isAdmin ? 'viewer' : 'admin'
  await send(world, { method: 'PATCH', path: `/api/users/${person.id}`, body: { role } })
  person.isAdmin = role === 'admin'
  return { what: `workspace ${role}`, people: [person] }
}

const disable: Change = async (world, person) => {
  const what = person.isDisabled ? 'enable' : 'disable'
  await send(world, { method: 'POST', path: `/api/users/${person.id}/${what}`, body: {} })
  person.isDisabled = !person.isDisabled
  if (person.isDisabled) for (const credential of person.credentials) credential.isEnded = true
  return { what, people: [person] }
}

/** Replaces the password with an equal one: sessions end, and tokens unless they are kept. */
const replacePassword: Change = async (world, person) => {
  const keepsTokens = world.random.below(2) === 0
  const body = { password: ADMIN.password, ...(keepsTokens && { revoke_tokens: false }) }
  await send(world, { method: 'PATCH', path: `/api/users/${person.id}`, body })
  for (const credential of person.credentials)
    if (credential.kind === 'session' || !keepsTokens) credential.isEnded = true
  return { what: `password${keepsTokens ? ', tokens kept' : ''}`, people: [person] }
}

/** Signs a person in, or returns null while they cannot. */
export const startSession: Change = async (world, person) => {
  const live = person.credentials.filter(({ isEnded, kind }) => kind === 'session' && !isEnded)
  if (person.isDisabled || live.length >= CREDENTIALS_MAX) return null
  const body = { email: person.email, password: ADMIN.password }
  const login = await send(world, { path: '/api/auth/login', body, as: 'anonymous' })
  await addSession(world, person, cookieOf(login.headers))
  return { what: 'login', people: [person] }
}

async function addSession(world: ChangeWorld, person: Person, cookie: string): Promise<void> {
  const as = { cookie }
  const { body } = await send(world, { path: '/api/auth/sessions', as })
  const { id } = body.find(({ is_current }: { is_current: boolean }) => is_current)
  person.credentials.push({ kind: 'session', id, as, isReadOnly: false, isEnded: false })
}

const endSession: Change = async (world, person) => {
  const session = liveOf(world, person, 'session')
  if (!session) return null
  const way = world.random.below(2)
  if (way === 0) await send(world, { method: 'POST', path: '/api/auth/logout', as: session.as })
  else await send(world, { method: 'DELETE', path: `/api/users/${person.id}/sessions/${session.id}` })
  session.isEnded = true
  return { what: 'session ended', people: [person] }
}

/** Confirms a session, which replaces it, and ends the replaced one: both have ended then. */
const endReplacedSession: Change = async (world, person) => {
  const session = liveOf(world, person, 'session')
  if (!session) return null
  const body = { password: ADMIN.password }
  const confirmed = await send(world, { path: '/api/auth/reauthenticate', body, as: session.as })
  await addSession(world, person, cookieOf(confirmed.headers))
  await send(world, { method: 'DELETE', path: `/api/users/${person.id}/sessions/${session.id}` })
  session.isEnded = true
  for (const successor of person.credentials.slice(-1)) successor.isEnded = true
  return { what: 'replaced session ended', people: [person] }
}

const createToken: Change = async (world, person) => {
  const live = person.credentials.filter(({ isEnded, kind }) => kind === 'token' && !isEnded)
  const [server] = world.servers
  if (!server || person.isDisabled || live.length >= CREDENTIALS_MAX) return null
  const isReadOnly = world.random.below(3) === 0
  const scope = isReadOnly ? 'read_only' : 'read_write'
  const { id, token } = await insertToken({ server }, { user_id: person.id, scope })
  person.credentials.push({ kind: 'token', id, as: { bearer: token }, isReadOnly, isEnded: false })
  return { what: 'token', people: [person] }
}

const revokeToken: Change = async (world, person) => {
  const token = liveOf(world, person, 'token')
  if (!token) return null
  await send(world, { method: 'DELETE', path: `/api/users/${person.id}/tokens/${token.id}` })
  token.isEnded = true
  return { what: 'token revoked', people: [person] }
}

const changeKeys: Change = async (world) => {
  const { model, places, random } = world
  const live = model.keys.filter(({ isRevoked }) => !isRevoked)
  if (live.length >= KEYS_MAX || (live.length > 0 && random.below(2) === 0)) {
    const key = random.pick<Key>(live)
    await send(world, { method: 'DELETE', path: `/api/projects/${key.place.project}/keys/${key.id}` })
    key.isRevoked = true
    return { what: 'key revoked', people: [] }
  }
  const place = random.pick(places)
  const body = {
    name: `Key ${model.keys.length}`,
    environment_id: place.environment,
    kind: random.pick(['server', 'reader', 'client']),
  }
  const created = await send(world, { path: `/api/projects/${place.project}/keys`, body })
  model.keys.push({ id: created.body.id, key: created.body.key, place, isRevoked: false })
  return { what: 'key', people: [] }
}

const changeGroupTable: Change = async (world) => {
  const { group, groupProject, model, random } = world
  const path = '/api/workspace/sso/mappings'
  if (model.groupRole) {
    await send(world, { method: 'DELETE', path: `${path}/${model.groupRole.id}` })
    model.groupRole = null
  } else {
    const role = random.pick(ROLES)
    const { body } = await send(world, { path, body: { group, project_id: groupProject, role } })
    model.groupRole = { id: body.id, role }
  }
  return { what: 'table of groups', people: model.people.filter(({ isInGroup }) => isInGroup) }
}

const liveOf = ({ random }: ChangeWorld, { credentials }: Person, kind: Credential['kind']) => {
  const live = credentials.filter((one) => one.kind === kind && !one.isEnded)
  return live.length === 0 ? null : random.pick(live)
}

const CHANGES: readonly Change[] = [
  setRole,
  removeMember,
  setEnvironmentRole,
  setEnvironmentRole,
  changeCustomRole,
  setWorkspaceRole,
  disable,
  replacePassword,
  startSession,
  startSession,
  startSession,
  endSession,
  endReplacedSession,
  createToken,
  createToken,
  revokeToken,
  changeKeys,
  changeGroupTable,
]

/** Makes a random change that is possible now. */
export async function changeSomething(world: ChangeWorld): Promise<Changed> {
  for (;;) {
    const change = world.random.pick(CHANGES)
    const changed = await change(world, world.random.pick(world.model.people))
    if (changed) return changed
  }
}
