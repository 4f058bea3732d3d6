import type {
  environmentEndpoints,
  memberEndpoints,
  preferenceEndpoints,
  projectEndpoints,
  roleEndpoints,
  sdkKeyEndpoints,
} from '@burgee/contract'
import type { Basics } from '../changes/index.ts'
import type { ProjectScope } from '../kernel/scope.ts'
import { type Domain, EMPTY, projectOf } from '../platform/composition.ts'
import { rowExists } from '../platform/db/row-exists.ts'
import type { Config } from '../platform/settings/config.ts'
import { environmentHandlers, findEnvironmentScope, findNameIn } from './environments/index.ts'
import { memberHandlers } from './members/index.ts'
import { preferenceHandlers } from './preferences/index.ts'
import { findProjectScope, projectHandlers } from './projects/index.ts'
import { roleHandlers } from './roles/index.ts'
import {
  createKeyCredentials,
  createKeyUses,
  type KeyCredentials,
  type KeyUses,
  sdkKeyHandlers,
} from './sdk-keys/index.ts'

/** The functions that higher domains implement. */
export type GivenToStructure = Pick<
  Parameters<typeof environmentHandlers>[0],
  'findConnections' | 'onEvents' | 'onSeenUsersSet' | 'requestPlannedChanges'
> &
  Pick<Parameters<typeof roleHandlers>[0], 'isMappedRole'> &
  Pick<Parameters<typeof sdkKeyHandlers>[0], 'countStreams'>

interface Parts {
  readonly keys: KeyCredentials
  readonly keyUses: KeyUses
  /** The look-ups of the projects and environments of paths. `user_id` is null for SDK keys. */
  readonly scopes: {
    findProject(project_id: string, user_id: number | null): Promise<ProjectScope | null>
    findEnvironment(environment_id: string, user_id: number | null): Promise<ProjectScope | null>
    environmentName(project_id: string, environment_id: string): Promise<string | undefined>
  }
}

type Endpoints = typeof projectEndpoints &
  typeof memberEndpoints &
  typeof roleEndpoints &
  typeof preferenceEndpoints &
  typeof environmentEndpoints &
  typeof sdkKeyEndpoints

/** Composes projects, their environments, keys and members, and roles. */
export function composeStructure(
  { legacySdkKey, maxStaleAuthSeconds }: Config,
  basics: Basics,
  given: GivenToStructure,
): Domain<Parts, Endpoints, 'member' | 'role' | 'sdk_key'> {
  const { accessChanges, db } = basics
  const keyUses = createKeyUses(basics)
  const keys = createKeyCredentials({ ...basics, legacySdkKey, maxStaleAuthSeconds, uses: keyUses })
  accessChanges.onChange(keys.clear)
  const writes = { ...basics, ...given }
  return {
    ...EMPTY,
    parts: {
      keys,
      keyUses,
      scopes: {
        findProject: (project_id, user_id) => findProjectScope(db, project_id, user_id),
        findEnvironment: (environment_id, user_id) => findEnvironmentScope(db, environment_id, user_id),
        environmentName: (project_id, environment_id) => findNameIn(db, { project_id, environment_id }),
      },
    },
    handlers: {
      ...projectHandlers(basics),
      ...memberHandlers(basics),
      ...roleHandlers(writes),
      ...preferenceHandlers(basics),
      ...environmentHandlers({ ...writes, hasLegacyKey: legacySdkKey !== null }),
      ...sdkKeyHandlers({ ...writes, usesStored: keyUses.stored }),
    },
    lookups: {
      member: (at) =>
        rowExists(db, 'project_members', { project_id: projectOf(at), user_id: Number(at.params.user_id) }),
      role: ({ params }) => rowExists(db, 'roles', { key: String(params.key) }),
      sdk_key: (at) => rowExists(db, 'sdk_keys', { project_id: projectOf(at), id: Number(at.params.id) }),
    },
    texts: {
      '/api/projects/:project_id': { table: 'projects', column: 'id', param: 'project_id' },
      '/api/projects/:project_id/environments/:env_id': {
        table: 'environments',
        column: 'id',
        param: 'env_id',
        scope: ['project_id', 'project_id'],
      },
      '/api/roles/:key': { table: 'roles', column: 'key' },
    },
    close: keyUses.stored,
  }
}
