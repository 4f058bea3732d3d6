import type { CreatedSdkKey, SdkKeyInput } from '@burgee/contract'
import type { Transaction } from 'kysely'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import { type Actor, KEYS_MAY_NOT_MANAGE } from '../../kernel/actor.ts'
import { forbidden, invalid, unauthenticated } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { findEnvironmentName } from '../environments/index.ts'
import { insertSdkKey, type KeyOrigin } from './insert-sdk-key.ts'
import { type KeyManager, requireKeyReach, requireKeyWithin } from './key-reach.ts'
import { lockCreatingKey } from './queries.ts'

/**
 * Creates a key. Refuses with `forbidden` when a key names an environment that is not its own or may not
 * create keys, or a user creates one that permits more than they may do, with
 * `unauthenticated` when it was revoked meanwhile, and with `invalid` when the environment is not in the
 * project.
 */
export async function createSdkKey(
  deps: WorkspaceWriteDeps,
  manager: KeyManager,
  input: SdkKeyInput,
): Promise<CreatedSdkKey> {
  const { actor, scope } = manager
  const { project_id } = scope
  const environment_id = input.environment_id.toLowerCase()
  const { kind = 'server', name } = input
  requireKeyReach(manager, environment_id)
  requireKeyWithin(manager, kind, environment_id)
  return writeWorkspace(deps, actor, async ({ now, tx }) => {
    const origin = await originOf(tx, actor, project_id)
    const environment_name = await findEnvironmentName(tx, { project_id, environment_id })
    if (environment_name === undefined) throw unknownEnvironment()
    const environment = { id: environment_id, name: environment_name }
    const { key, ...shown } = await insertSdkKey(tx, { project_id, environment, name, kind, origin, now })
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
      changesAccess: true,
    }
  })
}

/**
 * Returns the origin of a key. A key that was just revoked, also on another instance, must not create one.
 */
async function originOf(tx: Transaction<Database>, actor: Actor, project_id: string): Promise<KeyOrigin> {
  if (actor.kind === 'user') return { parent_id: null, createdBy: actor.user_id, isSeeded: false }
  const { createdBy, key_id } = actor
  if (key_id !== null) {
    const creating = await lockCreatingKey(tx, { project_id, key_id })
    if (!creating) throw unauthenticated('The SDK key has been revoked.')
    if (!creating.mayManage) throw forbidden(KEYS_MAY_NOT_MANAGE)
  }
  return { parent_id: key_id, createdBy, isSeeded: false }
}

const unknownEnvironment = () =>
  invalid([{ path: '/environment_id', message: 'must be an environment of this project' }])
