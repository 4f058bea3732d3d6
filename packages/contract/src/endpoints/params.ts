import { Type } from 'typebox'
import { INTEGER_ID_MAX, ROLE_KEY_MAX_LENGTH, ROLE_KEY_PATTERN } from '../limits.ts'
import { integerId, key, uuid } from '../schemas/common.ts'

const project_id = uuid({ description: 'A project' })
const env_id = uuid({ description: 'An environment' })
const idOf = (what: string) => integerId({ description: `The id of ${what}` })

export const projectParams = Type.Object({ project_id })
export const environmentParams = Type.Object({ env_id })
export const projectEnvironmentParams = Type.Object({ project_id, env_id })
export const keyedParams = Type.Object({
  env_id,
  key: key({ description: 'The key of the flag or segment' }),
})
export const sdkKeyParams = Type.Object({ project_id, id: idOf('an SDK key') })
export const memberParams = Type.Object({ project_id, user_id: idOf('a user') })
export const roleParams = Type.Object({
  key: Type.String({
    minLength: 1,
    maxLength: ROLE_KEY_MAX_LENGTH,
    pattern: ROLE_KEY_PATTERN,
    description: 'The key of a role',
  }),
})
export const integerIdParams = Type.Object({ id: idOf('one of the list') })
export const sessionParams = Type.Object({ id: uuid({ description: 'The id of a session' }) })
export const userSessionParams = Type.Object({
  id: idOf('a user'),
  session_id: uuid({ description: 'The id of a session' }),
})
export const userTokenParams = Type.Object({ id: idOf('a user'), token_id: idOf('a token') })
export const serviceAccountTokenParams = Type.Object({
  id: idOf('a service account'),
  token_id: idOf('one of its tokens'),
})
export const changeRequestParams = Type.Object({ env_id, id: idOf('a change request') })
export const scheduledChangeParams = Type.Object({
  env_id,
  id: uuid({ description: 'The id of a scheduled change' }),
})

/** The bound on the users whom a write may affect. */
export const maxChangedUsers = {
  max_changed_users: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: INTEGER_ID_MAX,
      description:
        'The most recently seen users who may get another result (docs/trust.md#who-a-change-affects); where more would, nothing is applied',
    }),
  ),
}

const environment_id = uuid({ description: 'The environment' })
const webhook_id = uuid({ description: 'The webhook' })
export const webhookParams = Type.Object({ env_id: environment_id, id: webhook_id })
export const webhookDeliveryParams = Type.Object({
  env_id: environment_id,
  id: webhook_id,
  delivery_id: integerId({ description: 'One of its deliveries' }),
})
export const integrationParams = Type.Object({
  env_id: environment_id,
  id: uuid({ description: 'The integration' }),
})
