import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { anyJson, Key, uuid } from './common.ts'

const Difference = Type.Object({
  path: Type.String({ description: 'A JSON pointer (RFC 6901) into the flag' }),
  source: anyJson({ description: 'The value in the source; null when there is none' }),
  target: anyJson({ description: 'The value in the target; null when there is none' }),
})

const given = (description: string) =>
  Type.Object(
    {
      value: anyJson({ description: 'The value that the user gets' }),
      enabled: Type.Boolean({ description: 'Whether the flag is on for the user' }),
    },
    { description },
  )

const DifferingUser = Type.Object(
  {
    user_key: Type.Union([Type.String(), Type.Null()], {
      description: 'The key; null for an anonymous user',
    }),
    attributes: anyJson({ description: 'The attributes, an object' }),
    source: given('The result in the source'),
    target: given('The result in the target'),
  },
  { description: 'With the behaviour `different`: a user who gets different results. Both were evaluated.' },
)

/** The behaviour of a flag beside that in another environment. `condition` begins its description. */
export const behaviourFields = (condition: string) => ({
  behaviour: Type.Optional(
    Type.Enum(['same', 'different', 'undecided'], {
      description: `${condition} every possible user gets the same, prerequisites included. \`same\` is a proof.`,
    }),
  ),
  example: Type.Optional(DifferingUser),
  why: Type.Optional(Type.String({ description: 'Why the behaviour is `undecided`' })),
})

/**
 * The differences of one flag between two environments. `path` is a JSON pointer (RFC 6901) into the flag.
 */
export const FlagComparison = Type.Object(
  {
    source: uuid({ description: 'The environment that the query names as `source`' }),
    target: uuid({ description: 'The environment that the query names as `target`' }),
    flags: Type.Array(
      Type.Object({
        key: Key,
        status: Type.Enum(['same', 'different', 'only_in_source', 'only_in_target'], {
          description: 'The result of comparing the flag',
        }),
        changes: Type.Array(Difference, { description: 'Empty unless the status is `different`' }),
        ...behaviourFields('With `behaviour=true`: whether'),
      }),
      { description: 'Every flag that either environment has' },
    ),
  },
  {
    examples: [
      {
        source: EXAMPLE_SHOP.stagingId,
        target: EXAMPLE_SHOP.productionId,
        flags: [
          {
            key: 'new-checkout',
            status: 'different',
            changes: [{ path: '/rollout_percentage', source: 100, target: 25 }],
          },
          { key: 'button-color', status: 'only_in_target', changes: [] },
        ],
      },
    ],
  },
)
export type FlagComparison = Static<typeof FlagComparison>
