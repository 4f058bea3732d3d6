import type { CreatedProject, CurrentUser, SetupInput } from '@burgee/contract'
import type { Transaction } from 'kysely'
import { bumpAccessRevision, recordAudit } from '../../changes/index.ts'
import { conflict } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { changeWorkspace } from '../../platform/db/workspace-row.ts'
import { insertProject } from '../../structure/projects/index.ts'
import { insertUser, type User } from '../../structure/users/index.ts'
import { toCurrentUser } from '../auth/index.ts'
import { lockSetup } from './queries.ts'

interface FirstContent {
  readonly workspace_name: string
  readonly project_name: string
  readonly admin: Omit<SetupInput['admin'], 'password'> & { readonly password_hash: string }
  /** The Production key, instead of a generated one. */
  readonly sdk_key?: string
}

export interface SetWorkspace {
  readonly user_id: number
  readonly user: CurrentUser
  readonly created: CreatedProject
}

/**
 * Creates the first admin and the first project in a fresh database. Refuses with `conflict` when that was
 * done; of two concurrent calls the second waits for the first.
 */
export async function setUpWorkspace(
  tx: Transaction<Database>,
  { newId, now }: { readonly newId: () => string; readonly now: string },
  { admin, project_name, sdk_key, workspace_name }: FirstContent,
): Promise<SetWorkspace> {
  const { setup_completed_at } = await lockSetup(tx)
  if (setup_completed_at !== null) throw alreadySetUp()
  // The token becomes invalid.
  const forgotten = { setup_token_hash: null, setup_token_seed: null }
  await changeWorkspace(tx, { workspace_name, setup_completed_at: now, ...forgotten })
  const user = await insertUser(tx, { ...admin, role: 'admin', now })
  const project = {
    name: project_name,
    now,
    newId,
    createdBy: user.id,
    ...(sdk_key !== undefined && { sdk_key }),
  }
  const created = await insertProject(tx, project)
  await auditSetup(tx, { user, created, now })
  await bumpAccessRevision(tx)
  return { user_id: user.id, user: toCurrentUser(user, { workspace_name, is_setup_complete: true }), created }
}

export const alreadySetUp = () => conflict('The workspace is set up already. Sign in.')

async function auditSetup(
  tx: Transaction<Database>,
  { created, now, user }: { user: User; created: CreatedProject; now: string },
): Promise<void> {
  const entry = {
    action: 'create',
    flag_key: '',
    before: null,
    environment_id: null,
    actor_email: user.email,
    now,
  } as const
  const { email, name, role } = user
  await recordAudit(tx, {
    ...entry,
    project_id: null,
    after: { name, email, role },
    metadata: { origin: 'direct', resource: `user:${user.id}` },
  })
  await recordAudit(tx, {
    ...entry,
    project_id: created.id,
    after: { name: created.name, slug: created.slug },
    metadata: { origin: 'direct', resource: `project:${created.id}` },
  })
}
