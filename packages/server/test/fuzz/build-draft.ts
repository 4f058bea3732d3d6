import { type Addressed, type Endpoint, isObject, type JsonSchema } from '@burgee/contract'
import type { TSchema } from 'typebox'
import type { Caller, CallerKind } from './callers.ts'
import type { Draft } from './draft.ts'
import { anyUuid, type Fill, type Generate } from './generate-value.ts'
import { plausibleFlag, plausiblePatch, plausibleRules } from './plausible-flag.ts'
import type { Random } from './random.ts'
import { PASSWORD, type SeededUser } from './seed-rows.ts'
import type { World } from './world.ts'

export interface BuildDeps {
  readonly world: World
  readonly generate: Generate
  readonly random: Random
}

export interface Aim {
  readonly name: string
  readonly endpoint: Endpoint
  readonly kind: CallerKind
}

/** The probability that a request names an existing thing rather than another value of the right form. */
const REAL_CHANCE = 0.93
/** Endpoints that end the session or change the password of their caller. */
const USES_CALLER_UP = [
  'logout',
  'logOutAtProvider',
  'changePassword',
  'reauthenticate',
  'endOtherSessions',
  // With another method it is `endOtherSessions`.
  'listSessions',
  'startTotp',
  'confirmTotp',
]

/** Addresses where nothing listens: requests are refused at once, and nothing leaves the machine. */
const RECEIVERS = ['http://127.0.0.1:9/nobody', 'http://localhost:9/', 'http://[::1]:9/?none']

/** The one credential that belongs to no user or key. */
export const METRICS_TOKEN = 'a-metrics-token-for-the-fuzz'
const METRICS_BEARER = { authorization: `Bearer ${METRICS_TOKEN}` }

/** Builds a request that is valid by the contract, for existing things. */
export async function buildDraft(deps: BuildDeps, aim: Aim): Promise<{ draft: Draft; caller: Caller }> {
  const { random, world } = deps
  const { endpoint, kind, name } = aim
  const caller = USES_CALLER_UP.includes(name)
    ? await world.spareCaller(kind, random)
    : world.pickCaller(kind, random)
  const params = await chooseParams(deps, endpoint, caller)
  const facts = await findFacts(deps, aim, params)
  const fill: Fill = (field) => (random.chance(REAL_CHANCE) ? facts(field) : undefined)
  const body = endpoint.body && makeBody(deps, aim, params, fill)
  const query = endpoint.query ? toQuery(deps.generate(random, plain(endpoint.query), fill)) : ''
  const byQuery = caller.sdk_key !== null && name === 'openStream' && random.chance(0.3)
  const draft = {
    method: endpoint.method,
    template: endpoint.path,
    params,
    query: byQuery ? join(query, `sdk_key=${caller.sdk_key}`) : query,
    headers: {
      ...(byQuery ? {} : caller.headers),
      ...(endpoint.access === 'metrics_token' &&
        kind === 'anonymous' &&
        random.chance(0.5) &&
        METRICS_BEARER),
      ...(body !== undefined && { 'content-type': contentType(random, endpoint) }),
      ...(endpoint.headers &&
        random.chance(0.1) && { 'if-match': random.pick(['*', '"1"', '"2"', 'W/"3"']) }),
      // Limits count by address (docs/settings.md), so callers have different ones.
      'x-forwarded-for': `10.${[1, 2, 3].map(() => random.integer(0, 255)).join('.')}`,
    },
    body,
    invited: [],
    how: [],
  }
  return { draft, caller }
}

const join = (query: string, more: string) => (query === '' ? more : `${query}&${more}`)

const contentType = (random: Random, { method }: Endpoint): string =>
  method === 'PATCH' && random.chance(0.3)
    ? 'application/merge-patch+json'
    : random.pick(['application/json', 'application/json', 'application/json; charset=utf-8'])

/** Creates what the call uses up, and chooses the rest from existing things. */
async function chooseParams(
  { random, world }: BuildDeps,
  endpoint: Endpoint,
  caller: Caller,
): Promise<Record<string, string>> {
  const names: readonly string[] = Object.keys(endpoint.params?.properties ?? {})
  if (names.length === 0) return {}
  const isDelete = endpoint.method === 'DELETE'
  const isForeign = random.chance(0.04)
  const project_id = isForeign ? world.foreign.project_id : world.project_id
  const environment_id = isForeign
    ? world.foreign.environment_id
    : (caller.environment_id ?? random.pick(world.environmentIds))
  const endsProject = isDelete && names.length === 1 && names[0] === 'project_id'
  const endsEnvironment = isDelete && names.includes('project_id') && names.includes('env_id')
  return {
    ...(names.includes('project_id') && {
      project_id: endsProject ? (await world.seeds.addProject()).id : project_id,
    }),
    ...(names.includes('env_id') && {
      env_id: endsEnvironment ? await world.seeds.addEnvironment(project_id) : environment_id,
    }),
    ...(endpoint.addresses &&
      (await chooseAddressed(world, random, endpoint.addresses, {
        caller,
        environment_id,
        isDelete,
        project_id,
      }))),
  }
}

interface Place {
  readonly caller: Caller
  readonly project_id: string
  readonly environment_id: string
  readonly isDelete: boolean
}

async function chooseAddressed(
  { known, seeds, ...world }: World,
  random: Random,
  addressed: Addressed,
  { caller, environment_id, isDelete, project_id }: Place,
): Promise<Record<string, string>> {
  switch (addressed) {
    case 'flag':
    case 'segment': {
      const keys = known[addressed].get(environment_id) ?? []
      if (keys.length === 0) return { key: 'none' }
      const key = random.pick(keys)
      if (isDelete)
        known[addressed].set(
          environment_id,
          keys.filter((other) => other !== key),
        )
      return { key: encodeURIComponent(key) }
    }
    case 'project_flag': {
      const keys = known.flag.get(environment_id) ?? []
      return { key: encodeURIComponent(keys.length === 0 ? 'none' : random.pick(keys)) }
    }
    case 'invariant':
      return { key: random.pick(['none', 'first', 'second']) }
    case 'sdk_key': {
      const boundTo = caller.environment_id ?? world.environmentIds[0] ?? ''
      const at = {
        project_id: world.project_id,
        environment_id: boundTo,
        kind: 'server',
        name: 'spare-',
      } as const
      return { id: String((await seeds.addKey(at)).id) }
    }
    case 'member': {
      const { id } = await seeds.addPerson('viewer')
      await seeds.addMember(project_id, id, 'viewer')
      return { user_id: String(id) }
    }
    case 'role':
      return { key: await seeds.addRole() }
    case 'group_mapping':
      return { id: String(await seeds.addGroupMapping()) }
    case 'user':
      return { id: String((await seeds.addPerson(random.pick(['viewer', 'editor', 'admin']))).id) }
    case 'access_token': {
      const owner: SeededUser =
        caller.user_id === null ? await seeds.addPerson('viewer') : { id: caller.user_id, role: 'viewer' }
      return { id: String((await seeds.tokenOf('read_only_token', owner)).token_id) }
    }
    case 'user_token': {
      const owner: SeededUser = await seeds.addPerson('viewer')
      const { token_id } = await seeds.tokenOf('read_only_token', owner)
      return { id: String(owner.id), token_id: String(token_id) }
    }
    case 'service_account':
      return { id: String(await seeds.addServiceAccount()) }
    case 'service_account_token': {
      const owner: SeededUser = { id: await seeds.addServiceAccount(), role: 'viewer' }
      const { token_id } = await seeds.tokenOf('read_only_token', owner)
      return { id: String(owner.id), token_id: String(token_id) }
    }
    case 'passkey': {
      const owner = caller.user_id ?? (await seeds.addPerson('viewer')).id
      return { id: String(await seeds.addPasskey(owner)) }
    }
    // Sessions of callers stay: their cookies are used again.
    case 'session': {
      const owner = caller.user_id ?? (await seeds.addPerson('viewer')).id
      return { id: await seeds.addSession(owner) }
    }
    case 'user_session': {
      const { id } = await seeds.addPerson('viewer')
      return { id: String(id), session_id: await seeds.addSession(id) }
    }
    case 'change_request':
      return { id: (await world.someId('change_requests', environment_id)) ?? '1' }
    case 'experiment':
      return { key: (await world.someExperimentKey(environment_id)) ?? 'none' }
    case 'scheduled_change':
      return { id: (await world.someId('scheduled_changes', environment_id)) ?? anyUuid(random) }
    case 'webhook':
      return { id: (await world.someReceiver('webhooks', environment_id)) ?? anyUuid(random) }
    case 'webhook_delivery': {
      const delivery = await world.someWebhookDelivery(environment_id)
      return delivery ?? { id: anyUuid(random), delivery_id: '1' }
    }
    case 'unknown_flag':
      return { key: await seeds.addUnknownFlag(environment_id) }
    case 'integration':
      return { id: (await world.someReceiver('integrations', environment_id)) ?? anyUuid(random) }
  }
}

/** Finds real values for the fields of the endpoint, by name. */
async function findFacts(
  { random, world }: BuildDeps,
  { endpoint, name }: Aim,
  { env_id = '', key = '' }: Readonly<Record<string, string>>,
): Promise<Fill> {
  const fields = { ...plain(endpoint.body ?? {}).properties, ...endpoint.query?.properties }
  const flags = world.known.flag.get(env_id) ?? []
  const segments = world.known.segment.get(env_id) ?? []
  const person = 'user_id' in fields || name === 'login' ? await world.seeds.addPerson('viewer') : null
  const revision =
    'revision' in fields ? await world.someRevision(env_id, decodeURIComponent(key)) : undefined
  const some = (keys: readonly string[]) => (keys.length > 0 ? random.pick(keys) : undefined)
  return (field) => {
    switch (field) {
      case 'user_id':
        return person?.id
      case 'email':
        return person?.email ?? `new-${random.integer(0, 2 ** 31)}@example.com`
      case 'current_password':
        return PASSWORD
      case 'password':
        return name === 'login' ? PASSWORD : undefined
      case 'environment_id':
      case 'target_env_id':
      case 'source':
      case 'target':
        return random.pick(world.environmentIds)
      case 'revision':
        return revision
      case 'url':
      case 'webhook_url':
        return random.pick(RECEIVERS)
      case 'flag_key':
        return some(flags)
      case 'segment_key':
        return some(segments)
      case 'keys':
        return flags.length > 0 ? [random.pick(flags), random.pick(flags)] : undefined
      default:
        return undefined
    }
  }
}

function makeBody(
  { generate, random, world }: BuildDeps,
  { endpoint, name }: Aim,
  { env_id = '' }: Readonly<Record<string, string>>,
  fill: Fill,
): unknown {
  const body = generate(random, plain(endpoint.body ?? {}), fill)
  if (!isObject(body)) return body
  const segments = world.known.segment.get(env_id) ?? []
  switch (name) {
    case 'putFlag':
    case 'previewFlag':
      return plausibleFlag(random, segments, body)
    case 'patchFlag':
      return plausiblePatch(random, segments, body)
    case 'createSegment':
      return { ...body, rules: plausibleRules(random, segments, 'json') }
    case 'patchSegment':
      return 'rules' in body ? { ...body, rules: plausibleRules(random, segments, 'json') } : body
    default:
      return body
  }
}

/** A schema of the contract is JSON Schema, which its TypeScript type does not express. */
const plain = (schema: TSchema): JsonSchema => schema as JsonSchema

const toQuery = (fields: unknown): string =>
  isObject(fields)
    ? new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString()
    : ''
