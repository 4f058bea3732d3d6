import { INTEGRATION_DELIVERIES_MAX, type integrationEndpoints } from '@burgee/contract'
import { notFound } from '../../kernel/refusal.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { createIntegration, type EnvironmentPlace, type IntegrationDeps } from './create-integration.ts'
import { deleteIntegration } from './delete-integration.ts'
import { toIntegration } from './integration.ts'
import { findIntegration, integrationExists, listIntegrationDeliveries, listIntegrations } from './queries.ts'
import { type TestDeps, testIntegration } from './test-integration.ts'
import { updateIntegration } from './update-integration.ts'

export function integrationHandlers(
  deps: IntegrationDeps & TestDeps,
): EndpointHandlers<typeof integrationEndpoints> {
  return {
    async listIntegrations({ scope }) {
      const integrations = await listIntegrations(deps.db, scope.environment.id)
      return { status: 200, body: integrations.map(toIntegration) }
    },
    async getIntegration({ params, scope }) {
      const place = { environment_id: scope.environment.id, id: params.id }
      const integration = await findIntegration(deps.db, place)
      if (!integration) throw notFound('integration')
      return { status: 200, body: toIntegration(integration) }
    },
    async createIntegration({ actor, body, scope }) {
      const input = { place: placeOf(scope), input: body }
      return { status: 200, body: await createIntegration(deps, actor, input) }
    },
    async updateIntegration({ actor, body, params, scope }) {
      const input = { place: placeOf(scope), id: params.id, patch: body }
      return { status: 200, body: await updateIntegration(deps, actor, input) }
    },
    async deleteIntegration({ actor, params, scope }) {
      await deleteIntegration(deps, actor, { place: placeOf(scope), id: params.id })
      return { status: 204, body: null }
    },
    async testIntegration({ actor, body, params, scope }) {
      const input = { place: placeOf(scope), id: params.id, type: body.event ?? 'flag.updated' }
      return { status: 200, body: await testIntegration(deps, actor, input) }
    },
    async listIntegrationDeliveries({ params, scope }) {
      if (!(await integrationExists(deps.db, scope.environment.id, params.id))) throw notFound('integration')
      const deliveries = await listIntegrationDeliveries(deps.db, params.id, INTEGRATION_DELIVERIES_MAX)
      return { status: 200, body: deliveries }
    },
  }
}

const placeOf = (scope: {
  readonly project_id: string
  readonly environment: { readonly id: string }
}): EnvironmentPlace => ({ project_id: scope.project_id, environment_id: scope.environment.id })
