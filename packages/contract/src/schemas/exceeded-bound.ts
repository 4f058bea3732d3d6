import { type Static, Type } from 'typebox'
import { Nullable, uuid } from './common.ts'

/** The bounds that something stored earlier may exceed. */
const EXCEEDED_BOUND_KINDS = ['value_schema', 'evaluation_bound', 'receivers', 'name'] as const

/** The kinds of things that can exceed a bound. */
const RESOURCES = [
  ...['flag', 'segment', 'webhooks', 'integrations'],
  ...['project', 'environment', 'sdk_key', 'webhook', 'integration', 'experiment'],
  ...['workspace', 'user', 'role', 'access_token', 'passkey'],
] as const

/** Something stored that exceeds a bound which came later. */
export const ExceededBound = Type.Object(
  {
    id: Type.String({ description: 'Its place in the list' }),
    kind: Type.Enum([...EXCEEDED_BOUND_KINDS], {
      description:
        'The bound: `value_schema` the check of values, `evaluation_bound` the steps of an evaluation, `receivers` webhooks or chat integrations of an environment, `name` the characters of names and addresses',
    }),
    project_id: Nullable(uuid({ description: 'Null for what belongs to the workspace' })),
    environment_id: Nullable(uuid({ description: 'Null for what belongs to no environment' })),
    resource: Type.Enum([...RESOURCES], { description: 'The kind of thing' }),
    key: Type.String({ description: 'Its key, its slug, or its id where it has neither' }),
    message: Type.String({ description: 'What is wrong, and what to do' }),
  },
  {
    examples: [
      {
        id: 'value_schema:flag:3b241101-e2bb-4255-8caf-4136c566a962:limits',
        kind: 'value_schema',
        project_id: '9f8b1c1e-3a52-4c0e-9a0c-3f1f1b0e7a11',
        environment_id: '3b241101-e2bb-4255-8caf-4136c566a962',
        resource: 'flag',
        key: 'limits',
        message:
          'The value_schema takes too long to check; make it or the values smaller, and its references fewer.',
      },
    ],
  },
)
export type ExceededBound = Static<typeof ExceededBound>
