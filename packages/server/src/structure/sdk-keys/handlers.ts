import type { SdkKey, sdkKeyEndpoints } from '@burgee/contract'
import type { WorkspaceWriteDeps } from '../../changes/index.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { createSdkKey } from './create-sdk-key.ts'
import { seesKeysOf } from './key-reach.ts'
import { findSdkKey, type ListedKey, listSdkKeys } from './queries.ts'
import { revokeSdkKey } from './revoke-sdk-key.ts'

interface SdkKeyHandlerDeps extends WorkspaceWriteDeps {
  /** Resolves when the uses so far are stored. */
  readonly usesStored: () => Promise<void>
  /** Returns the open streams of each key over all instances. */
  readonly countStreams: (keyIds: readonly number[]) => Promise<ReadonlyMap<number, number>>
}

export function sdkKeyHandlers(deps: SdkKeyHandlerDeps): EndpointHandlers<typeof sdkKeyEndpoints> {
  async function withStreams(keys: readonly ListedKey[]): Promise<SdkKey[]> {
    const streams = await deps.countStreams(keys.map(({ id }) => id))
    return keys.map((key) => ({ ...key, streams: streams.get(key.id) ?? 0 }))
  }
  return {
    async listSdkKeys({ actor, scope }) {
      await deps.usesStored()
      const keys = await listSdkKeys(deps.db, scope.project_id)
      const seen = keys.filter(({ environment_id }) => seesKeysOf({ actor, scope }, environment_id))
      return { status: 200, body: await withStreams(seen) }
    },
    async getSdkKey({ actor, params, scope }) {
      await deps.usesStored()
      const key = await findSdkKey(deps.db, scope.project_id, params.id)
      const isSeen = key !== undefined && seesKeysOf({ actor, scope }, key.environment_id)
      const [shown] = await withStreams(isSeen ? [key] : [])
      if (!shown) throw notFound('SDK key')
      return { status: 200, body: shown }
    },
    async createSdkKey({ actor, body, scope }) {
      const created = await createSdkKey(deps, { actor, scope }, body)
      // Only this response contains the credential, and no cache may store it.
      return { status: 200, body: created, headers: { 'cache-control': 'no-store' } }
    },
    async revokeSdkKey({ actor, params, query, scope }) {
      const { children = false } = query
      await revokeSdkKey(deps, { actor, scope }, { id: params.id, children })
      return { status: 204, body: null }
    },
  }
}
