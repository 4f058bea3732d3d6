import type { CreatedScimToken, ScimSettings, ScimSettingsPatch } from '@burgee/contract'
import { type WorkspaceAudit, type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { hashSecret } from '../../platform/crypto/hash-secret.ts'
import { newSecret, previewSecret } from '../../platform/crypto/new-secret.ts'
import {
  lockSettings,
  readSettings,
  type StoredSettings,
  updateAdoption,
  updateToken,
} from './settings-queries.ts'

export interface ScimSettingsDeps extends WorkspaceWriteDeps {
  /** The address under which people reach the server; null when it is not known. */
  readonly publicUrl: string | null
}

export async function getSettings({ db, publicUrl }: ScimSettingsDeps): Promise<ScimSettings> {
  return toShown(publicUrl, await readSettings(db))
}

/** Creates the token, in place of an earlier one. It is stored as a hash; only the response has its value. */
export async function createToken(deps: ScimSettingsDeps, actor: UserActor): Promise<CreatedScimToken> {
  const token = newSecret('scim_')
  return writeWorkspace(deps, actor, async ({ now, tx }) => {
    const { token_prefix: replaced } = await lockSettings(tx)
    const token_prefix = previewSecret(token)
    await updateToken(tx, {
      token_hash: hashSecret(token),
      token_prefix,
      token_created_at: now,
      token_created_by: actor.email,
    })
    const before = replaced === null ? null : { token_prefix: replaced }
    return {
      result: { ...toShown(deps.publicUrl, await readSettings(tx)), token },
      audit: tokenAudit('create', { before, after: { token_prefix } }),
      changesAccess: true,
    }
  })
}

/** Removes the token, which stops SCIM on every instance within a second. */
export async function deleteToken(deps: ScimSettingsDeps, actor: UserActor): Promise<void> {
  await writeWorkspace(deps, actor, async ({ tx }) => {
    const { token_prefix } = await lockSettings(tx)
    if (token_prefix === null) return { result: undefined, audit: [], changesAccess: false }
    await updateToken(tx, {
      token_hash: null,
      token_prefix: null,
      token_created_at: null,
      token_created_by: null,
    })
    const audit = tokenAudit('delete', { before: { token_prefix }, after: null })
    return { result: undefined, audit, changesAccess: true }
  })
}

/** Changes which accounts SCIM takes over. */
export async function updateSettings(
  deps: ScimSettingsDeps,
  actor: UserActor,
  { adopts_accounts }: ScimSettingsPatch,
): Promise<ScimSettings> {
  return writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await lockSettings(tx)
    if (adopts_accounts !== undefined) await updateAdoption(tx, adopts_accounts)
    const after = await readSettings(tx)
    const shown = ({ adopts_accounts }: StoredSettings) => ({ adopts_accounts })
    return {
      result: toShown(deps.publicUrl, after),
      audit: {
        ...IN_WORKSPACE,
        action: 'update',
        before: shown(before),
        after: shown(after),
        metadata: { origin: 'direct', resource: 'scim' },
      },
      changesAccess: false,
    }
  })
}

const IN_WORKSPACE = { project_id: null, environment_id: null } as const

const tokenAudit = (
  action: WorkspaceAudit['action'],
  change: Pick<WorkspaceAudit, 'before' | 'after'>,
): WorkspaceAudit => ({
  ...IN_WORKSPACE,
  ...change,
  action,
  metadata: { origin: 'direct', resource: 'scim_token' },
})

const toShown = (publicUrl: string | null, settings: StoredSettings): ScimSettings => ({
  url: publicUrl === null ? null : `${publicUrl}/scim/v2`,
  ...settings,
})
