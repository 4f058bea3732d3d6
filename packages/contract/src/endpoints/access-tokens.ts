import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { AccessToken, AccessTokenInput, CreatedAccessToken } from '../schemas/access-token.ts'
import { listQuery } from './list-query.ts'
import { integerIdParams } from './params.ts'

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
      'It acts as its owner, as the owner is at the time of each call. The answer shows the full token, this once. A `read_only` token changes nothing, so it creates no token either.',
    tag: 'Access token',
    access: 'account',
    body: AccessTokenInput,
    responses: { 200: CreatedAccessToken },
    refusals: {
      403: 'A `read_only` token cannot create tokens, and SDK keys have none',
    },
  }),
  revokeAccessToken: endpoint({
    method: 'DELETE',
    path: '/api/tokens/:id',
    summary: "Revoke one of the caller's tokens, at once",
    description: 'From then on it is answered 401, and streams that it opened end.',
    tag: 'Access token',
    access: 'account',
    addresses: 'access_token',
    params: integerIdParams,
    responses: { 204: null },
    refusals: {
      404: 'The caller has no such token',
    },
  }),
} as const
