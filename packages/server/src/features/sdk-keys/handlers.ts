import type { sdkKeyEndpoints } from '@burgee/contract'
import type { WorkspaceWriteDeps } from '../../changes/index.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { EndpointHandlers } from '../../platform/endpoint-handler.ts'
import { createSdkKey } from './create-sdk-key.ts'
import { findSdkKey, listSdkKeys } from './queries.ts'
import { revokeSdkKey } from './revoke-sdk-key.ts'

export function sdkKeyHandlers(deps: WorkspaceWriteDeps): EndpointHandlers<typeof sdkKeyEndpoints> {
  return {
    async listSdkKeys({ scope }) {
      return { status: 200, body: await listSdkKeys(deps.db, scope.project_id) }
    },
    async getSdkKey({ params, scope }) {
      const key = await findSdkKey(deps.db, scope.project_id, params.id)
      if (!key) throw notFound('SDK key')
      return { status: 200, body: key }
    },
    async createSdkKey({ actor, body, scope }) {
      const created = await createSdkKey(deps, actor, { project_id: scope.project_id, input: body })
      // Only this response contains the credential, and no cache may store it.
      return { status: 200, body: created, headers: { 'cache-control': 'no-store' } }
    },
    async revokeSdkKey({ actor, params, query, scope }) {
      const { children = false } = query
      await revokeSdkKey(deps, actor, { project_id: scope.project_id, id: params.id, children })
      return { status: 204, body: null }
    },
  }
}
