import type { Experiment, ExperimentInput } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { conflict, notFound } from '../../kernel/refusal.ts'
import { findEnvironmentName } from '../../structure/environments/index.ts'
import { experimentAudit } from './experiment-audit.ts'
import { insertExperiment } from './queries.ts'

export interface CreateExperimentDeps extends WorkspaceWriteDeps {
  readonly newId: () => string
}

interface CreateExperimentInput {
  readonly project_id: string
  readonly environment_id: string
  readonly input: ExperimentInput
}

/**
 * Creates an experiment, which runs immediately. Refuses with `conflict` when the environment already has one
 * with that key.
 */
export async function createExperiment(
  deps: CreateExperimentDeps,
  actor: Actor,
  { environment_id, input, project_id }: CreateExperimentInput,
): Promise<Experiment> {
  return writeWorkspace(deps, actor, async ({ now, tx }) => {
    // Locks the environment against deletion meanwhile.
    const environment_name = await findEnvironmentName(tx, { project_id, environment_id })
    if (environment_name === undefined) throw notFound('environment')
    const created: Experiment = {
      id: deps.newId(),
      environment_id,
      key: input.key,
      name: input.name,
      description: input.description ?? null,
      flag_key: input.flag_key,
      goal_event_key: input.goal_event_key,
      control_variant: input.control_variant ?? null,
      status: 'running',
      created_at: now,
    }
    if (!(await insertExperiment(tx, created))) {
      throw conflict(
        `There is an experiment "${created.key}" already. Choose another key, or change that one.`,
      )
    }
    return {
      result: created,
      audit: experimentAudit({ project_id, action: 'create', before: null, after: created }),
      changesAccess: false,
    }
  })
}
