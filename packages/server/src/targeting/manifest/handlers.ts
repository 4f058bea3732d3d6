import { createHash } from 'node:crypto'
import type { manifestEndpoints } from '@burgee/contract'
import type { Actor } from '../../kernel/actor.ts'
import { conflict, malformed, notFound, Refusal } from '../../kernel/refusal.ts'
import { mayInEnvironment, type ProjectScope } from '../../kernel/scope.ts'
import type { Clock } from '../../platform/clock.ts'
import type { EncodedReply, EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import type { ListDeps } from '../../platform/replies/reply-with-list.ts'
import { JSON_HEADERS } from '../../platform/replies/stream-json.ts'
import type { FlagOperation, Preconditions } from '../flag-model/index.ts'
import { type FlagWriteDeps, operateOnFlag } from '../flag-operations/index.ts'
import { findListedFlag } from '../flags/index.ts'
import { MANIFEST_TEXT, typesText } from './flag-texts.ts'
import { nameManifestFields, toEntry, toNewFlag, toPatch } from './manifest-flag.ts'
import { writeFlags } from './write-flags.ts'

interface ManifestDeps extends ListDeps {
  readonly clock: Clock
  readonly writes: FlagWriteDeps
}

type Scope = ProjectScope & { readonly environment: { readonly id: string } }

const CAPABILITIES = 'x-manifest-capabilities'
const CREATE_ONLY: Preconditions = { ifNoneMatch: '*' }

export function manifestHandlers(deps: ManifestDeps): EndpointHandlers<typeof manifestEndpoints> {
  const { db, writes } = deps
  return {
    async getTypes({ headers, query, scope }) {
      const text = typesText({ now: deps.clock.now().toISOString(), strict: query.strict ?? false })
      const { bytes, lease } = await writeFlags(deps, scope.environment.id, text)
      const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
      if (isCurrent(headers['if-none-match'], etag)) {
        lease.release()
        return { status: 304, body: null, headers: { etag } }
      }
      return { status: 200, bytes, headers: { 'content-type': 'text/plain; charset=utf-8', etag }, lease }
    },
    async getManifest({ actor, scope }): Promise<EncodedReply> {
      const { bytes, lease } = await writeFlags(deps, scope.environment.id, MANIFEST_TEXT)
      return { status: 200, bytes, headers: { ...JSON_HEADERS, ...capabilities(actor, scope) }, lease }
    },
    async createManifestFlag({ actor, body, scope }) {
      const found = await findListedFlag(db, scope.environment.id, body.key)
      if (found) throw exists(found)
      const operation = { operation: 'replace', flag: toNewFlag(body) } as const
      const at = { environment_id: scope.environment.id, key: body.key, preconditions: CREATE_ONLY }
      const written = await operate(actor, { ...at, operation })
      return written ?? { status: 201, ...(await reread(actor, scope, body.key)) }
    },
    async updateManifestFlag({ actor, body, params, scope }) {
      const { key } = params
      const environment_id = scope.environment.id
      const flag = await findListedFlag(db, environment_id, key)
      if (!flag) throw notFound('flag')
      if (body.key !== key)
        throw malformed(`The body names the flag "${body.key}" and the path "${key}". Send the same key.`)
      const operation = { operation: 'patch', patch: toPatch(flag, body) } as const
      const written = await operate(actor, { environment_id, key, operation, preconditions: {} })
      return written ?? { status: 200, ...(await reread(actor, scope, key)) }
    },
    async archiveManifestFlag({ actor, params: { key }, scope }) {
      const environment_id = scope.environment.id
      const flag = await findListedFlag(db, environment_id, key)
      if (flag?.archived_at) throw conflict(`Flag "${key}" is archived already.`)
      const input = { environment_id, key, operation: { operation: 'archive' }, preconditions: {} } as const
      const written = await operate(actor, input)
      if (written) return written
      const archivedAt =
        (await findListedFlag(db, environment_id, key))?.archived_at ?? deps.clock.now().toISOString()
      const message = `Flag "${key}" archived. Unarchive it in the dashboard if it is needed again.`
      return { status: 200, body: { message, archivedAt }, headers: capabilities(actor, scope) }
    },
  }

  /** Writes a flag. Returns the response where the write waits for approval. */
  async function operate(actor: Actor, input: OperationInput) {
    const done = await operateOnFlag(writes, actor, input).catch((error: unknown) => {
      const isTaken =
        error instanceof Refusal && error.kind === 'stale' && input.preconditions === CREATE_ONLY
      throw isTaken ? exists({ key: input.key, archived_at: null }) : nameManifestFields(error)
    })
    return done.kind === 'queued' ? ({ status: 202, body: done.change_request } as const) : null
  }

  async function reread(actor: Actor, scope: Scope, key: string) {
    const flag = await findListedFlag(db, scope.environment.id, key)
    if (!flag) throw notFound('flag')
    const body = { flag: toEntry(flag), updatedAt: flag.updated_at }
    return { body, headers: capabilities(actor, scope) }
  }
}

interface OperationInput {
  readonly environment_id: string
  readonly key: string
  readonly operation: FlagOperation
  readonly preconditions: Preconditions
}

const isCurrent = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*') ?? false

const exists = ({ archived_at, key }: { readonly key: string; readonly archived_at: string | null }) =>
  conflict(
    archived_at === null
      ? `There is a flag "${key}" already. Change it with PUT, or choose another key.`
      : `Flag "${key}" is archived. Unarchive it in the dashboard, or choose another key.`,
  )

function capabilities(actor: Actor, scope: Scope): Record<string, string> {
  const isReadOnly =
    actor.kind === 'user' && actor.credential.kind === 'token' && actor.credential.scope === 'read_only'
  const mayWrite =
    !isReadOnly &&
    (actor.kind === 'sdk_key' || mayInEnvironment(actor, scope, 'write_flags', scope.environment.id))
  return { [CAPABILITIES]: mayWrite ? 'read,write,delete' : 'read' }
}
