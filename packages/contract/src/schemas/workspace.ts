import { type Static, Type } from 'typebox'
import { PASSWORD_MIN_LENGTH } from '../limits.ts'
import { Name, Role } from './common.ts'

export const Workspace = Type.Object({ workspace_name: Type.String() })
export type Workspace = Static<typeof Workspace>

/** Answer of login and of the current user (specification, "User"). */
export const CurrentUser = Type.Object({
  email: Type.String(),
  name: Type.String(),
  role: Role,
  workspace_name: Type.String(),
  is_setup_complete: Type.Boolean(),
})
export type CurrentUser = Static<typeof CurrentUser>

export const Email = Type.String({ minLength: 3, maxLength: 320, pattern: '^[^\\s@]+@[^\\s@]+$' })

/** At least 8 characters; at most 1,024 bytes, which the server checks. */
export const Password = Type.String({ minLength: PASSWORD_MIN_LENGTH })

/** Whatever is sent at login counts as a wrong guess rather than as a malformed one. */
export const Credentials = Type.Object({ email: Type.String(), password: Type.String() })
export type Credentials = Static<typeof Credentials>

export const SetupInput = Type.Object({
  workspace_name: Name,
  project_name: Name,
  admin: Type.Object({ name: Name, email: Email, password: Password }),
})
export type SetupInput = Static<typeof SetupInput>

export const SetupState = Type.Object({ is_setup_complete: Type.Boolean() })
