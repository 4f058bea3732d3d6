import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { integerId, role } from './common.ts'

const user_id = integerId({ description: "The user's id" })
const memberRole = role({
  description:
    'The role in this project: `viewer` reads, `editor` also changes flags, `admin` also manages the project',
})

/** A user with a role in one project (docs/reference/access.md#roles). */
export const Member = Type.Object(
  { user_id, name: Type.String(), email: Type.String(), role: memberRole },
  { examples: [EXAMPLE_SHOP.member] },
)
export type Member = Static<typeof Member>

export const MemberInput = Type.Object(
  { user_id, role: memberRole },
  { examples: [{ user_id: EXAMPLE_SHOP.member.user_id, role: EXAMPLE_SHOP.member.role }] },
)
export type MemberInput = Static<typeof MemberInput>

export const MemberPatch = Type.Object(
  { role: memberRole },
  { examples: [{ role: EXAMPLE_SHOP.member.role }] },
)
export type MemberPatch = Static<typeof MemberPatch>

/** A user who is not yet a member of the project. */
export const MemberCandidate = Type.Object(
  { user_id, name: Type.String(), email: Type.String() },
  { examples: [EXAMPLE_SHOP.memberCandidate] },
)
export type MemberCandidate = Static<typeof MemberCandidate>
