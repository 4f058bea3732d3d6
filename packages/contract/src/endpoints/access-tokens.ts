import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { TOKEN_TREE_MAX } from '../limits.ts'
import { AccessToken, AccessTokenInput, CreatedAccessToken } from '../schemas/access-token.ts'
import { listQuery } from './list-query.ts'
import { integerIdParams, userTokenParams } from './params.ts'

export const accessTokenEndpoints = {
  listAccessTokens: endpoint({
    method: 'GET',
    path: '/api/tokens',
    summary: "The caller's personal access tokens, without their full values",
    description: 'Users see their own tokens only, admins included.',
    tag: 'Access token',
    access: 'account',
    query: Type.Object(listQuery),
    responses: { 200: Type.Array(AccessToken) },
    sends: ['X-Next-Cursor'],
    listedBy: 'id',
  }),
  createAccessToken: endpoint({
    method: 'POST',
    path: '/api/tokens',
    summary: 'Create a personal access token',
    description:
      'It has the current rights of its owner. Only this response has the full token. A `read_only` token cannot change anything, so it cannot create tokens. A token that is created with a token ends no later than that one, and is revoked with it.',
    tag: 'Access token',
    access: 'account',
    needsRecentLogin: true,
    body: AccessTokenInput,
    responses: { 200: CreatedAccessToken },
    errors: [409],
    refusals: {
      409: `With the token of the request, and with those that it created, ${TOKEN_TREE_MAX} valid ones were created already`,
      403: 'A `read_only` token cannot create tokens, and SDK keys have none',
    },
  }),
  revokeAccessToken: endpoint({
    method: 'DELETE',
    path: '/api/tokens/:id',
    summary: "Revoke one of the caller's tokens immediately",
    description:
      'It gets 401 from then on, and its streams end. The tokens that were created with it are revoked too.',
    tag: 'Access token',
    access: 'account',
    needsRecentLogin: true,
    addresses: 'access_token',
    params: integerIdParams,
    responses: { 204: null },
    refusals: {
      404: 'The caller has no such token',
    },
  }),
  listUserTokens: endpoint({
    method: 'GET',
    path: '/api/users/:id/tokens',
    summary: 'The personal access tokens of a user, without their full values',
    description: 'As the user sees them.',
    tag: 'Access token',
    access: 'workspace_admin',
    addresses: 'user',
    params: integerIdParams,
    query: Type.Object(listQuery),
    responses: { 200: Type.Array(AccessToken) },
    sends: ['X-Next-Cursor'],
    listedBy: 'id',
  }),
  revokeUserToken: endpoint({
    method: 'DELETE',
    path: '/api/users/:id/tokens/:token_id',
    summary: 'Revoke a personal access token of a user immediately',
    description: 'Its open streams end. The tokens that were created with it are revoked too.',
    tag: 'Access token',
    access: 'workspace_admin',
    needsRecentLogin: true,
    addresses: 'user_token',
    params: userTokenParams,
    responses: { 204: null },
  }),
} as const
