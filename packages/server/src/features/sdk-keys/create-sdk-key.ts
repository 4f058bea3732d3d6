import type { CreatedSdkKey, SdkKeyInput } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { invalid } from '../../kernel/refusal.ts'
import { findEnvironmentName } from '../environments/index.ts'
import { insertSdkKey } from './insert-sdk-key.ts'
import { requireKeyReach } from './key-reach.ts'

/**
 * Creates a key. Refuses with `forbidden` when a key names an environment that is not its own, and with `invalid` when the
 * environment is none of the project's.
 */
export async function createSdkKey(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { input, project_id }: { readonly project_id: string; readonly input: SdkKeyInput },
): Promise<CreatedSdkKey> {
  const environment_id = input.environment_id.toLowerCase()
  requireKeyReach(actor, environment_id)
  return writeWorkspace(deps, actor, async ({ now, tx }) => {
    const environment_name = await findEnvironmentName(tx, { project_id, environment_id })
    if (environment_name === undefined) throw unknownEnvironment()
    const { kind = 'server', name } = input
    const environment = { id: environment_id, name: environment_name }
    const { key, ...shown } = await insertSdkKey(tx, { project_id, environment, name, kind, now })
    return {
      result: { ...shown, key },
      audit: {
        project_id,
        environment_id,
        action: 'create',
        before: null,
        after: shown,
        metadata: { origin: 'direct', resource: `sdk_key:${shown.id}` },
      },
      changes_access: true,
    }
  })
}

const unknownEnvironment = () =>
  invalid([{ path: '/environment_id', message: 'must be an environment of this project' }])
