import { type Static, type TSchema, Type } from 'typebox'

export const WARNING_CODES = [
  'unknown_field',
  'field_ignored',
  'unknown_segment',
  'unknown_prerequisite',
  'prerequisite_cycle',
  'prerequisite_archived',
  'hidden_prerequisite',
  'managed_elsewhere',
  'not_equals_many',
  'rule_unreachable',
  'required_value_unreachable',
  'segment_variant_type',
  'boolean_rule_variant',
  'enabled_when_off',
  'empty_attribute',
  'not_a_number',
  'unsafe_number',
  'not_a_version',
  'not_a_time',
  'evaluation_bound',
  'more_warnings',
  'legacy_key_moved',
  'short_secret',
  'common_password',
  'invariant_violated',
] as const

/**
 * A warning about a valid write that is probably a mistake (docs/reference/api.md). `path` is a JSON pointer
 * into the resource of the body.
 */
export const Warning = Type.Object(
  {
    code: Type.Enum([...WARNING_CODES], { description: 'The kind of mistake, for programs' }),
    path: Type.String({ description: 'A JSON pointer (RFC 6901) into the input' }),
    message: Type.String({ description: 'The message' }),
  },
  {
    examples: [
      {
        code: 'unknown_segment',
        path: '/rules/0/segment_key',
        message:
          'There is no segment "beta-testers" in this environment; the rule matches no user until it exists.',
      },
    ],
  },
)
export type Warning = Static<typeof Warning>

/** Adds the warnings to the resource that a write returns. */
export const Warned = <T extends TSchema>(schema: T) =>
  Type.Intersect([
    schema,
    Type.Object({
      warnings: Type.Optional(
        Type.Array(Warning, {
          description: 'Warnings about probable mistakes; absent when there are none',
        }),
      ),
    }),
  ])
