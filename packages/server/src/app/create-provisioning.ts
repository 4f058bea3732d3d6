import { deleteUserTokens } from '../identity/access-tokens/index.ts'
import { type CreateScimDeps, createScim, type Scim } from '../identity/scim/index.ts'
import type { Config } from '../platform/settings/config.ts'
import type { createAccess } from './create-access.ts'
import { renameAuthor } from './rename-author.ts'

type Deps = Omit<CreateScimDeps, 'rights' | 'publicUrl' | 'endSessions' | 'deleteTokens' | 'renameAuthor'> & {
  readonly access: Awaited<ReturnType<typeof createAccess>>
}

/** Creates SCIM, which is off until a workspace admin creates its token. */
export const createProvisioning = ({ publicUrl }: Config, { access, ...deps }: Deps): Scim =>
  createScim({
    ...deps,
    rights: access.rights,
    publicUrl,
    endSessions: access.sessions.endAll,
    deleteTokens: deleteUserTokens,
    renameAuthor,
  })
