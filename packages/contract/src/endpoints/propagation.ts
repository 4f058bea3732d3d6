import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { CLIENT_LIMIT_DEFAULT, CLIENT_LIMIT_MAX, CLIENT_TEXT_MAX_LENGTH, CLIENTS_MAX } from '../limits.ts'
import { ClientState, Propagation, SdkClientPage } from '../schemas/propagation.ts'
import { environmentParams } from './params.ts'

export const propagationEndpoints = {
  getPropagation: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/propagation',
    summary: 'Which SDKs have a revision',
    description:
      'SDKs with server keys confirm what they have applied. One of the newest 200 revisions; the current one by default. Counts of other servers are up to about a second old.',
    tag: 'Stream',
    access: 'read_environment',
    params: environmentParams,
    query: Type.Object({
      revision: Type.Optional(Type.Integer({ minimum: 0, description: 'A revision of the environment' })),
    }),
    responses: { 200: Propagation },
    errors: [404],
    refusals: { 404: 'There is no such environment, or the revision is not one of its newest 200' },
  }),
  listClients: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/clients',
    summary: 'SDKs that confirm what they have applied',
    description: 'Those of all servers: silent ones first, then those that are behind. At most 50,000.',
    tag: 'Stream',
    access: 'read_environment',
    params: environmentParams,
    query: Type.Object({
      app: Type.Optional(
        Type.String({ maxLength: CLIENT_TEXT_MAX_LENGTH, description: 'Only of this program' }),
      ),
      state: Type.Optional(ClientState),
      limit: Type.Optional(
        Type.Integer({
          default: CLIENT_LIMIT_DEFAULT,
          description: `The number of items, clamped to 1 to ${CLIENT_LIMIT_MAX}`,
        }),
      ),
      offset: Type.Optional(
        Type.Integer({ minimum: 0, maximum: CLIENTS_MAX, default: 0, description: 'The items to leave out' }),
      ),
    }),
    responses: { 200: SdkClientPage },
  }),
} as const
