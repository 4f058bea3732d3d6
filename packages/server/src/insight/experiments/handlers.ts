import type { experimentEndpoints } from '@burgee/contract'
import { readCursor } from '../../kernel/list-cursor.ts'
import { listLimit } from '../../kernel/paging.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { Log } from '../../platform/log/log.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { type ListDeps, replyWithList } from '../../platform/replies/reply-with-list.ts'
import { type CreateExperimentDeps, createExperiment } from './create-experiment.ts'
import { deleteExperiment } from './delete-experiment.ts'
import { createExperimentCounts } from './experiment-counts.ts'
import { countVariants, experimentList, findExperiment, readReportVersions } from './queries.ts'
import { readResults } from './read-results.ts'
import { updateExperiment } from './update-experiment.ts'

export function experimentHandlers(
  deps: CreateExperimentDeps & ListDeps & { readonly log: Log },
): EndpointHandlers<typeof experimentEndpoints> {
  const { clock, db, log } = deps
  const counts = createExperimentCounts({
    clock,
    log,
    readVersions: (pair) => readReportVersions(db, pair),
    count: (pair) => countVariants(db, pair),
  })
  return {
    async listExperiments({ query, scope }) {
      const [after = null] = readCursor('experiments', ['text'], query.cursor) ?? []
      const list = experimentList(scope.environment.id, after === null ? null : String(after))
      return replyWithList(deps, { name: 'experiments', query: list, limit: listLimit(query.limit) })
    },
    async getExperiment({ params, scope }) {
      const experiment = await findExperiment(db, { environment_id: scope.environment.id, key: params.key })
      if (!experiment) throw notFound('experiment')
      return { status: 200, body: experiment }
    },
    async createExperiment({ actor, body, scope }) {
      const { environment, project_id } = scope
      const input = { project_id, environment_id: environment.id, input: body }
      return { status: 200, body: await createExperiment(deps, actor, input) }
    },
    async updateExperiment({ actor, body, params, scope }) {
      const { environment, project_id } = scope
      const input = { project_id, environment_id: environment.id, key: params.key, patch: body }
      return { status: 200, body: await updateExperiment(deps, actor, input) }
    },
    async deleteExperiment({ actor, params, scope }) {
      const { environment, project_id } = scope
      await deleteExperiment(deps, actor, { project_id, environment_id: environment.id, key: params.key })
      return { status: 204, body: null }
    },
    async getExperimentResults({ params, scope }) {
      const place = { environment_id: scope.environment.id, key: params.key }
      return { status: 200, body: await readResults({ db, counts }, place) }
    },
  }
}
