import type { setupEndpoints } from '@burgee/contract'
import { withWarnings } from '../../kernel/with-warnings.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { withTokenLimit } from '../auth/index.ts'
import { type CompleteSetupDeps, completeSetup } from './complete-setup.ts'
import { readSetup } from './queries.ts'

interface SetupHandlerDeps extends CompleteSetupDeps {
  /** The setting TOKEN_MAX_DAYS; null without a limit. */
  readonly tokenMaxDays: number | null
}

export function setupHandlers(deps: SetupHandlerDeps): EndpointHandlers<typeof setupEndpoints> {
  return {
    async getSetup() {
      const { setup_completed_at } = await readSetup(deps.db)
      return { status: 200, body: { is_setup_complete: setup_completed_at !== null } }
    },
    async completeSetup({ address, body, headers }) {
      const { cookies, created, warnings, ...completed } = await completeSetup(deps, body, {
        address,
        userAgent: headers['user-agent'],
      })
      const user = withTokenLimit(completed.user, deps.tokenMaxDays)
      const { environments, sdk_key, ...project } = created
      return {
        status: 200,
        body: withWarnings({ user, project, environments, sdk_key }, warnings),
        headers: { 'set-cookie': cookies, 'cache-control': 'no-store' },
      }
    },
  }
}
