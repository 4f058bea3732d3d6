import { createSemaphore } from '../../platform/concurrency/semaphore.ts'
import { type AdmitScim, createAdmitScim } from './admit-scim.ts'
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.ts'
import { type GroupDeps, handleGroups } from './handle-groups.ts'
import { handleUsers } from './handle-users.ts'
import { SCIM_ACTOR, type ScimContext } from './scim-context.ts'
import type { ScimReply, ScimRequest } from './scim-message.ts'
import { ScimRefused } from './scim-refused.ts'

/** SCIM 2.0: accounts and groups that an identity provider manages (docs/scim.md). */
export interface Scim {
  readonly admit: AdmitScim
  /** Handles an admitted request. Throws `ScimRefused`. */
  respond(request: ScimRequest): Promise<ScimReply>
}

interface CreateScimDeps extends GroupDeps {
  readonly rights: { generation(): number }
  /** The address under which people reach the server; null when it is not known. */
  readonly publicUrl: string | null
}

/** The requests that are handled at the same time on this instance, and those that may wait. */
const AT_ONCE = 4
const WAITING_MAX = 200

export function createScim(deps: CreateScimDeps): Scim {
  const inTurn = createSemaphore(AT_ONCE)
  let pending = 0
  return {
    admit: createAdmitScim(deps),
    async respond(request) {
      if (pending >= AT_ONCE + WAITING_MAX)
        throw new ScimRefused(429, null, 'Too many requests at once. Try again later.')
      pending += 1
      try {
        return await inTurn(() => route(deps, request))
      } finally {
        pending -= 1
      }
    },
  }
}

async function route(deps: CreateScimDeps, request: ScimRequest): Promise<ScimReply> {
  const { address, method, path, requestId, userAgent } = request
  const baseUrl = `${deps.publicUrl ?? ''}/scim/v2`
  const context: ScimContext = {
    author: {
      ...{ kind: 'past', name: SCIM_ACTOR, request_id: requestId, address },
      credential: { kind: 'scim_token', id: null },
      ...(userAgent !== undefined && { user_agent: userAgent }),
    },
    baseUrl,
  }
  const [kind = '', id, ...rest] = path
  if (rest.length > 0) throw noEndpoint()
  switch (kind.toLowerCase()) {
    case 'users':
      return handleUsers(deps, context, { ...request, id })
    case 'groups':
      return handleGroups(deps, context, { ...request, id })
    case 'serviceproviderconfig':
      requireGet(method)
      if (id !== undefined) throw noEndpoint()
      return { status: 200, body: serviceProviderConfig(baseUrl) }
    case 'resourcetypes':
      requireGet(method)
      return { status: 200, body: resourceTypes(baseUrl, id) }
    case 'schemas':
      requireGet(method)
      return { status: 200, body: schemas(baseUrl, id) }
    case 'me':
    case 'bulk':
      throw new ScimRefused(501, null, `${kind} is not supported; see /scim/v2/ServiceProviderConfig.`)
    default:
      throw noEndpoint()
  }
}

const noEndpoint = () => new ScimRefused(404, null, 'There is no such endpoint of SCIM here.')

function requireGet(method: string): void {
  if (method !== 'GET') throw new ScimRefused(405, null, `${method} is not possible here; use GET.`)
}
