import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { TOKEN_EXPIRY_DAYS_MAX } from '../limits.ts'
import { CreatedAt, integerId, Nullable, name, timestamp } from './common.ts'

const { access_token, accessTokenSecret, changedAt } = EXAMPLE_SHOP

/** The scope of a token. `read_only` limits it to reads (docs/reference/access.md#credentials). */
export const AccessTokenScope = Type.Enum(['read_only', 'read_write'], {
  description: '`read_only` limits the token to reads; `read_write` has all rights of its owner',
})

const fields = {
  id: integerId({ description: 'Names the token in paths', readOnly: true }),
  name: Type.String(),
  prefix: Type.String({ description: 'Preview of the token, ends with an ellipsis', readOnly: true }),
  scope: AccessTokenScope,
  created_at: CreatedAt,
  expires_at: Nullable(
    timestamp({ description: 'The time of its expiry, UTC; null for never', readOnly: true }),
  ),
  parent_id: Nullable(
    integerId({
      description: 'The token that created it, which it ends with; null when a session has created it',
      readOnly: true,
    }),
  ),
  parent_name: Nullable(Type.String({ description: 'The name of that token', readOnly: true })),
}

/** A personal access token as the list of its owner shows it. */
export const AccessToken = Type.Object(
  {
    ...fields,
    last_used_at: Nullable(
      timestamp({ description: 'The time of its last use, UTC; null before the first', readOnly: true }),
    ),
    last_address: Nullable(
      Type.String({ description: 'The address of its last use; null before the first', readOnly: true }),
    ),
  },
  { examples: [{ ...access_token, last_used_at: changedAt, last_address: '203.0.113.7' }] },
)
export type AccessToken = Static<typeof AccessToken>

/** The created token. No other response contains its full value. */
export const CreatedAccessToken = Type.Object(
  {
    ...fields,
    token: Type.String({
      description: 'The full token, shown only here; only its hash is stored',
      readOnly: true,
    }),
  },
  { examples: [{ ...access_token, token: accessTokenSecret }] },
)
export type CreatedAccessToken = Static<typeof CreatedAccessToken>

export const AccessTokenInput = Type.Object(
  {
    name: name({ description: 'The display name; not blank' }),
    scope: AccessTokenScope,
    expires_in_days: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: TOKEN_EXPIRY_DAYS_MAX,
          description:
            'Absent or null: never, which TOKEN_MAX_DAYS can forbid. A token that is created with a token ends no later than that one',
        }),
      ),
    ),
  },
  { examples: [{ name: access_token.name, scope: access_token.scope, expires_in_days: 90 }] },
)
export type AccessTokenInput = Static<typeof AccessTokenInput>
