import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { CreatedAt, Nullable, timestamp, uuid } from './common.ts'

/** The ways in which a person proves who they are. */
export const LOGIN_METHODS = ['setup', 'password', 'link', 'passkey', 'sso', 'totp', 'recovery_code'] as const

/** A session of a browser, as its user and workspace admins see it (docs/reference/access.md#sessions). */
export const Session = Type.Object(
  {
    id: uuid({ description: 'Names the session in paths; it is not the cookie', readOnly: true }),
    method: Type.Enum([...LOGIN_METHODS], { description: 'How the person last proved who they are' }),
    address: Nullable(Type.String({ description: 'The address of the last request' })),
    user_agent: Nullable(
      Type.String({ description: 'How the browser names itself, at most 300 characters; not verified' }),
    ),
    created_at: CreatedAt,
    authenticated_at: timestamp({ description: 'The time of the last proof, UTC' }),
    last_seen_at: timestamp({ description: 'The time of the last request, UTC, to the minute' }),
    expires_at: timestamp({ description: 'When it ends at the latest, UTC' }),
    is_current: Type.Boolean({ description: 'Whether it is the session of the request' }),
  },
  { examples: [EXAMPLE_SHOP.session] },
)
export type Session = Static<typeof Session>
