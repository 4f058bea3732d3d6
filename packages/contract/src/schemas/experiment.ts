import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { CreatedAt, key, Nullable, name, uuid } from './common.ts'

const status = Type.Enum(['running', 'paused', 'completed'], {
  description: 'A label for people without an effect on data',
})
const description = Type.String({ description: 'The question that it is about' })
const control_variant = Type.String({ description: 'The value to compare with' })

/** An A/B test of a flag on one goal (docs/reference/reports.md#experiment-results). */
export const Experiment = Type.Object(
  {
    id: uuid({ description: 'Never changes', readOnly: true }),
    environment_id: uuid({ description: 'Where it runs', readOnly: true }),
    key: key({ description: 'Names the experiment in paths; never changes' }),
    name: Type.String(),
    description: Nullable(description),
    flag_key: key({ description: 'The flag whose variants are compared' }),
    goal_event_key: key({ description: 'The goal that users may reach' }),
    control_variant: Nullable(control_variant),
    status,
    created_at: CreatedAt,
  },
  { examples: [EXAMPLE_SHOP.experiment] },
)
export type Experiment = Static<typeof Experiment>

export const ExperimentInput = Type.Object(
  {
    name: name({}),
    key: key({ description: 'Unique in the environment' }),
    flag_key: key({ description: 'The flag whose variants are compared' }),
    goal_event_key: key({
      description:
        'The goal that users may reach: letters (A-Z, a-z), digits, underscore and hyphen, so not every event key that can be reported',
    }),
    control_variant: Type.Optional(Nullable(control_variant)),
    description: Type.Optional(Nullable(description)),
  },
  { examples: [EXAMPLE_SHOP.experimentInput] },
)
export type ExperimentInput = Static<typeof ExperimentInput>

export const ExperimentPatch = Type.Object(
  {
    status: Type.Optional(status),
    name: Type.Optional(name({})),
    description: Type.Optional(Nullable(description)),
    goal_event_key: Type.Optional(key({ description: 'The goal that users may reach' })),
    control_variant: Type.Optional(Nullable(control_variant)),
  },
  { examples: [{ status: 'completed' }] },
)
export type ExperimentPatch = Static<typeof ExperimentPatch>

const interval = (description: string) =>
  Type.Object(
    {
      low: Type.Number({ description: 'Its lower end' }),
      high: Type.Number({ description: 'Its upper end' }),
    },
    { description },
  )

const VariantResult = Type.Object({
  variant: Type.String({ description: 'The value of the flag' }),
  exposed: Type.Integer({ description: 'Users who saw this value of the flag first' }),
  converted: Type.Integer({ description: 'Those of them who reached the goal at that time or later' }),
  conversion_rate: Type.Number({ description: 'converted / exposed, 0 to 1' }),
  is_control: Type.Boolean({ description: 'True for the control, which the others are compared with' }),
  uplift: Nullable(
    Type.Number({ description: 'Relative to the control; null for the control or when its rate is 0' }),
  ),
  z_score: Nullable(
    Type.Number({
      description: 'Two-proportion z against the control; null for the control or when undefined',
    }),
  ),
  p_value: Nullable(Type.Number({ description: 'Two-sided; null when z_score is' })),
  significant: Type.Boolean({ description: 'p_value below 0.05' }),
  confidence_interval: Nullable(interval('95% interval of the difference of the rates, variant - control')),
  sequential: Nullable(
    Type.Object(
      {
        p_value: Type.Number({ description: 'Valid however often results are read' }),
        low: Type.Number({ description: 'Lower end of the interval of the difference' }),
        high: Type.Number({ description: 'Upper end of the interval' }),
      },
      { description: 'The comparison that is always valid, also when it is read every day' },
    ),
  ),
})

export const ExperimentResults = Type.Object(
  {
    experiment: Experiment,
    control_variant: Nullable(
      Type.String({ description: 'The control of the comparison; null without data' }),
    ),
    total_exposed: Type.Integer({ description: 'Users in the experiment' }),
    total_converted: Type.Integer({ description: 'Those of them who reached the goal' }),
    variants: Type.Array(VariantResult, { description: 'The control first, then by name' }),
    sample_ratio_mismatch: Nullable(
      Type.Object(
        {
          p_value: Type.Number({ description: "Chi-square test of the users against the flag's weights" }),
          mismatch: Type.Boolean({ description: 'The split is wrong: do not trust the results' }),
        },
        { description: 'Null when the flag has no weights' },
      ),
    ),
    power: Nullable(
      Type.Object(
        {
          required_per_variant: Type.Integer({
            description: 'Users that each variant needs to show the observed effect with 80% power',
          }),
        },
        { description: 'Null when there is no effect' },
      ),
    ),
  },
  { examples: [EXAMPLE_SHOP.experimentResults] },
)
export type ExperimentResults = Static<typeof ExperimentResults>
