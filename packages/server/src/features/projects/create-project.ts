import type { CreatedProject } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { bumpAccessRevision, recordAudit } from '../../changes/index.ts'
import { type Actor, actorName } from '../../kernel/actor.ts'
import type { Bus } from '../../platform/bus/bus.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/tables.ts'
import { insertProject } from './insert-project.ts'

export interface ProjectDeps {
  readonly db: Kysely<Database>
  readonly bus: Bus
  readonly clock: Clock
  readonly newId: () => string
  /** Acts on this instance at once: streams of workspace admins gain the new environments. */
  readonly onAccessChanged: () => void
}

/** Creates a project. Refuses with `conflict` when its slug exists. */
export async function createProject(
  { bus, clock, db, newId, onAccessChanged }: ProjectDeps,
  actor: Actor,
  { name }: { readonly name: string },
): Promise<CreatedProject> {
  const now = clock.now().toISOString()
  const created = await db.transaction().execute(async (tx) => {
    const project = await insertProject(tx, { name, now, newId })
    await recordAudit(tx, {
      project_id: project.id,
      environment_id: null,
      actor_email: actorName(actor),
      now,
      action: 'create',
      flag_key: '',
      before: null,
      after: { name: project.name, slug: project.slug },
      metadata: { origin: 'direct', resource: `project:${project.id}` },
    })
    await bumpAccessRevision(tx)
    return project
  })
  bus.publish({ kind: 'revocations' })
  bus.publish({ kind: 'environments' })
  onAccessChanged()
  return created
}
