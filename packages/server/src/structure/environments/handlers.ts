import type { Connections, environmentEndpoints } from '@burgee/contract'
import { notFound } from '../../kernel/refusal.ts'
import { withWarnings } from '../../kernel/with-warnings.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { createEnvironment, type EnvironmentDeps } from './create-environment.ts'
import { deleteEnvironment } from './delete-environment.ts'
import { findLegacyEnvironment, LEGACY_KEY_MOVED, withLegacyKey } from './legacy-key.ts'
import { makeEnvironmentDefault } from './make-environment-default.ts'
import { type EnvironmentPlace, findEnvironment, listEnvironments } from './queries.ts'
import { type ApprovalDeps, requireApproval } from './require-approval.ts'
import { type UpdateDeps, updateEnvironment } from './update-environment.ts'

interface EnvironmentHandlerDeps extends EnvironmentDeps, ApprovalDeps, UpdateDeps {
  /** The open streams of an environment's SDKs over all instances. */
  readonly findConnections: (environment_id: string) => Promise<Connections>
  /** True when the setting SDK_KEY is used. */
  readonly hasLegacyKey: boolean
}

export function environmentHandlers(
  deps: EnvironmentHandlerDeps,
): EndpointHandlers<typeof environmentEndpoints> {
  return {
    async listEnvironments({ scope }) {
      const environments = await listEnvironments(deps.db, scope.project_id)
      return { status: 200, body: await withLegacyKey(deps, environments) }
    },
    async getEnvironment({ params }) {
      const environment = await findEnvironment(deps.db, placeOf(params))
      if (!environment) throw notFound('environment')
      const [shown = environment] = await withLegacyKey(deps, [environment])
      return { status: 200, body: shown }
    },
    async createEnvironment({ actor, body, scope }) {
      const { project_id } = scope
      return { status: 200, body: await createEnvironment(deps, actor, { project_id, input: body }) }
    },
    async updateEnvironment({ actor, body, params }) {
      const place = placeOf(params)
      return { status: 200, body: await updateEnvironment(deps, actor, { place, patch: body }) }
    },
    async deleteEnvironment({ actor, params }) {
      await deleteEnvironment(deps, actor, placeOf(params))
      return { status: 204, body: null }
    },
    async makeEnvironmentDefault({ actor, params, scope }) {
      const before = await findLegacyEnvironment(deps)
      const environment = await makeEnvironmentDefault(
        deps,
        { actor, membership: scope.membership },
        placeOf(params),
      )
      const hasMoved = before !== null && before !== (await findLegacyEnvironment(deps))
      return { status: 200, body: withWarnings(environment, hasMoved ? [LEGACY_KEY_MOVED] : []) }
    },
    async requireApproval({ actor, body, params }) {
      return {
        status: 200,
        body: await requireApproval(deps, actor, { place: placeOf(params), input: body }),
      }
    },
    async getConnections({ scope }) {
      return { status: 200, body: await deps.findConnections(scope.environment.id) }
    },
  }
}

/** Ids may be sent in upper case. */
const placeOf = ({ env_id, project_id }: { env_id: string; project_id: string }): EnvironmentPlace => ({
  project_id: project_id.toLowerCase(),
  environment_id: env_id.toLowerCase(),
})
