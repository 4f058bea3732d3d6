import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { ROLE_KEY_MAX_LENGTH, ROLE_OVERRIDES_MAX } from '../limits.ts'
import { integerId, Nullable, uuid } from './common.ts'
import { serviceAccountKind } from './service-account.ts'

const user_id = integerId({ description: "The user's id" })
const memberRole = Type.String({
  minLength: 1,
  maxLength: ROLE_KEY_MAX_LENGTH,
  description:
    'The role in this project: `viewer` reads, `editor` also changes flags, `admin` also manages the project. The key of a custom role is possible too',
})

const environmentRoles = (description: string) =>
  Type.Array(
    Type.Object({ environment_id: uuid({ description: 'An environment of the project' }), role: memberRole }),
    { description },
  )

/** A user with a role in one project (docs/reference/access.md#roles). */
export const Member = Type.Object(
  {
    user_id,
    name: Type.String(),
    email: Type.String(),
    kind: serviceAccountKind,
    role: memberRole,
    environment_roles: Type.Optional(
      environmentRoles('The environments in which another role applies instead; absent when there are none'),
    ),
  },
  { examples: [EXAMPLE_SHOP.member] },
)
export type Member = Static<typeof Member>

export const MemberInput = Type.Object(
  { user_id, role: memberRole },
  { examples: [{ user_id: EXAMPLE_SHOP.member.user_id, role: EXAMPLE_SHOP.member.role }] },
)
export type MemberInput = Static<typeof MemberInput>

export const MemberPatch = Type.Object(
  {
    role: Type.Optional(memberRole),
    environment_roles: Type.Optional(
      Type.Array(
        Type.Object({
          environment_id: uuid({ description: 'An environment of the project' }),
          role: Nullable(memberRole),
        }),
        {
          maxItems: ROLE_OVERRIDES_MAX,
          description: 'Roles in single environments; null: the role in the project applies there again',
        },
      ),
    ),
  },
  { examples: [{ role: EXAMPLE_SHOP.member.role }] },
)
export type MemberPatch = Static<typeof MemberPatch>

/** A user who is not yet a member of the project. */
export const MemberCandidate = Type.Object(
  {
    user_id,
    name: Type.String(),
    email: Type.String(),
    kind: serviceAccountKind,
    environment_roles: Type.Optional(
      environmentRoles(
        'Roles in single environments that an earlier membership has left behind: they apply again once the user is a member; absent when there are none',
      ),
    ),
  },
  { examples: [EXAMPLE_SHOP.memberCandidate] },
)
export type MemberCandidate = Static<typeof MemberCandidate>
