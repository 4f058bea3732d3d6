import { FLAG_TYPES } from '@burgee/evaluation'
import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import {
  IMPACT_CHANGES_MAX,
  INVARIANT_CONDITIONS_MAX,
  INVARIANT_DESCRIPTION_MAX_LENGTH,
  INVARIANT_VALUES_MAX,
  INVARIANTS_MAX,
  NAME_MAX_LENGTH,
} from '../limits.ts'
import { anyJson, CreatedAt, key, Nullable, uuid } from './common.ts'
import { EvaluationTrace } from './evaluation.ts'
import { ImpactChange } from './impact.ts'
import { AttributeTest, Condition } from './rule.ts'
import { CounterExample, enforcement, invariantKey } from './violation.ts'

const EXAMPLE = {
  key: 'sso-needs-enterprise',
  flag: 'sso',
  when: [{ attribute: 'plan', operator: 'not_equals' as const, values: ['enterprise'] }],
  never: [true],
  enforcement: 'block' as const,
}

const flag = key({ description: 'The flag on which the demand is made' })
const value = (description: string) => anyJson({ description })
const values = (description: string) =>
  Type.Array(anyJson({}), { minItems: 1, maxItems: INVARIANT_VALUES_MAX, description })

/** The demand: the flag, the users and exactly one of `never`, `only`, `shape`, `at_most` and `implies`. */
const whenNotes = {
  maxItems: INVARIANT_CONDITIONS_MAX,
  description: 'The users of the demand: those who meet all conditions. Absent: every user',
}
const demands = {
  never: Type.Optional(values('Values that these users never get')),
  only: Type.Optional(values('The only values that these users get')),
  shape: Type.Optional(
    Type.Object(
      {
        exists: Type.Optional(Type.Boolean({ description: 'Whether the flag must exist, unarchived' })),
        flag_type: Type.Optional(Type.Enum([...FLAG_TYPES], { description: 'The type of an existing flag' })),
        default_value: Type.Optional(value('The `default_value` of an existing flag')),
        disabled_value: Type.Optional(value('The `disabled_value` of an existing flag')),
      },
      { minProperties: 1, additionalProperties: false, description: 'How the flag is configured' },
    ),
  ),
  at_most: Type.Optional(
    Type.Object(
      {
        percent: Type.Number({ minimum: 0, maximum: 100, description: 'The largest share' }),
        value: value('The value'),
      },
      { additionalProperties: false, description: 'The largest share of users of each kind with a value' },
    ),
  ),
  implies: Type.Optional(
    Type.Object(
      {
        value: value('The value of the flag'),
        flag: key({ description: 'The other flag' }),
        is: value('The value that the same user then gets of the other flag'),
      },
      { additionalProperties: false, description: 'A value that requires a value of another flag' },
    ),
  ),
}

const written = { when: Type.Optional(Type.Array(AttributeTest, whenNotes)), ...demands }

const description = Type.String({
  maxLength: INVARIANT_DESCRIPTION_MAX_LENGTH,
  description: 'The reason of the demand',
})
const environments = Type.Array(Type.String({ minLength: 1, maxLength: NAME_MAX_LENGTH }), {
  minItems: 1,
  maxItems: INVARIANT_VALUES_MAX,
  description: 'The slugs of the environments that it covers; null for all',
})

/** An invariant whose decision is requested. It is not stored. */
const CheckedInvariant = Type.Object({
  key: invariantKey,
  environments: Type.Optional(Nullable(environments)),
  flag,
  ...written,
})

export const InvariantCheckInput = Type.Object(
  {
    environment_id: uuid({ description: 'The environment' }),
    invariants: Type.Optional(
      Type.Array(CheckedInvariant, {
        maxItems: INVARIANTS_MAX,
        description: 'Instead of those of the project that cover the environment. They are not stored',
      }),
    ),
    changes: Type.Optional(
      Type.Array(ImpactChange, {
        maxItems: IMPACT_CHANGES_MAX,
        description: 'Applied before the decision, one after another. Nothing is stored',
      }),
    ),
  },
  { examples: [{ environment_id: EXAMPLE_SHOP.productionId }] },
)
export type InvariantCheckInput = Static<typeof InvariantCheckInput>

export const InvariantCheck = Type.Object(
  {
    key: invariantKey,
    verdict: Type.Enum(['holds', 'violated', 'undecided'], {
      description:
        '`holds` is a proof for every user; `undecided` where the analysis did not end within its bounds',
    }),
    why: Type.Optional(Type.String({ description: 'What is wrong' })),
    counter_example: Type.Optional(
      Type.Object(
        { ...CounterExample.properties, trace: Type.Optional(EvaluationTrace) },
        { description: 'A user who gets what is forbidden, with the steps to it' },
      ),
    ),
  },
  { examples: [{ key: 'sso-needs-enterprise', verdict: 'holds' }] },
)
export type InvariantCheck = Static<typeof InvariantCheck>

export const Invariant = Type.Object(
  {
    key: invariantKey,
    description: Nullable(description),
    environments: Nullable(environments),
    flag,
    when: Type.Optional(Type.Array(Condition, whenNotes)),
    ...demands,
    enforcement,
    created_by: Type.String({ description: 'Its author', readOnly: true }),
    created_at: CreatedAt,
  },
  {
    examples: [
      {
        ...EXAMPLE,
        description: null,
        environments: null,
        created_by: 'ann@example.com',
        created_at: '2026-01-12T09:30:00.000Z',
      },
    ],
  },
)
export type Invariant = Static<typeof Invariant>

export const InvariantInput = Type.Object(
  {
    key: invariantKey,
    description: Type.Optional(Nullable(description)),
    environments: Type.Optional(Nullable(environments)),
    flag,
    ...written,
    enforcement: Type.Optional(enforcement),
  },
  { examples: [EXAMPLE] },
)
export type InvariantInput = Static<typeof InvariantInput>

/** The body of PATCH: a field replaces the stored one as a whole. */
export const InvariantPatch = Type.Object(
  {
    description: Type.Optional(Nullable(description)),
    environments: Type.Optional(Nullable(environments)),
    flag: Type.Optional(flag),
    ...written,
    enforcement: Type.Optional(enforcement),
  },
  {
    description:
      'Missing fields do not change. `never`, `only`, `shape`, `at_most` or `implies` replaces the demand',
    examples: [{ enforcement: 'warn' }],
  },
)
export type InvariantPatch = Static<typeof InvariantPatch>
