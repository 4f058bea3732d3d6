import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { SEEN_USER_PATH_MAX_LENGTH } from '../limits.ts'
import { uuid } from '../schemas/common.ts'

export const seenUserEndpoints = {
  deleteSeenUser: endpoint({
    method: 'DELETE',
    path: '/api/environments/:env_id/seen-users/:user_key',
    summary: 'Remove a user from the recently seen users',
    description:
      'Also where the user is not known. The audit log has an entry without the key. A later evaluation adds the user again; `seen_users` of the environment ends that for every user. Reports of the user stay: `DELETE .../reports?user_id=` removes them and the seen user, also one with a longer key.',
    tag: 'Impression',
    access: 'write_environment',
    params: Type.Object({
      env_id: uuid({ description: 'An environment' }),
      user_key: Type.String({
        minLength: 1,
        maxLength: SEEN_USER_PATH_MAX_LENGTH,
        description: 'The key of the user',
      }),
    }),
    responses: { 204: null },
  }),
} as const
