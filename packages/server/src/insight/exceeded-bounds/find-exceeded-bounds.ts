import { EXCEEDED_BOUNDS_MAX, type ExceededBound } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { listEnvironments } from '../../structure/environments/index.ts'
import { toExceededBound } from './exceeded-bound.ts'
import { type BeforeStep, createFindExceededFlags } from './find-exceeded-flags.ts'
import { findExceededNames } from './find-exceeded-names.ts'
import { listManyReceivers } from './receiver-queries.ts'

/** Finds what was stored before a bound and exceeds it. A search reads one flag at a time. */
export interface ExceededBounds {
  /** Finds those of the environments of a project that `isReadable` accepts, and of the project itself. */
  ofProject(
    project_id: string,
    isReadable: (environment_id: string) => boolean,
    beforeStep: BeforeStep,
  ): Promise<readonly ExceededBound[]>
  /** Finds the names of the workspace. */
  ofWorkspace(beforeStep: BeforeStep): Promise<readonly ExceededBound[]>
}

export function createExceededBounds(db: Kysely<Database>): ExceededBounds {
  const findFlags = createFindExceededFlags(db)
  return {
    async ofProject(project_id, isReadable, beforeStep) {
      const isSeen = ({ environment_id }: ExceededBound) =>
        environment_id === null || isReadable(environment_id)
      const receivers = await listManyReceivers(db, project_id)
      const found: ExceededBound[] = receivers
        .map(({ count, environment_id, max, resource, slug }) =>
          toExceededBound({
            ...{ kind: 'receivers', project_id, environment_id, resource, key: slug },
            message: `The environment has ${count} ${WORDS[resource]}, and at most ${max} may exist. Delete those that are not needed, or let one receiver pass events on.`,
          }),
        )
        .filter(isSeen)
      for (const { id: environment_id } of await listEnvironments(db, project_id)) {
        if (found.length >= EXCEEDED_BOUNDS_MAX) break
        if (isReadable(environment_id))
          found.push(...(await findFlags({ project_id, environment_id }, beforeStep)))
      }
      if (found.length < EXCEEDED_BOUNDS_MAX)
        found.push(...(await findExceededNames(db, project_id, beforeStep)).filter(isSeen))
      return found.slice(0, EXCEEDED_BOUNDS_MAX)
    },
    ofWorkspace: (beforeStep) => findExceededNames(db, null, beforeStep),
  }
}

const WORDS = { webhooks: 'webhooks', integrations: 'chat integrations' } as const
