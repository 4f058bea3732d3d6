import { REASONS } from '@burgee/evaluation'
import { type Static, Type } from 'typebox'
import { anyJson, key, Nullable } from './common.ts'

export const invariantKey = key({ description: 'The key of the invariant; unique in the project' })

export const enforcement = Type.Enum(['block', 'warn'], {
  description: '`block`, the default, refuses writes that violate it; `warn` gives them a warning',
})

/** A user who gets what an invariant forbids. The evaluator has confirmed it. */
export const CounterExample = Type.Object(
  {
    user_key: Nullable(Type.String({ description: 'The user; null for an anonymous one' })),
    attributes: Type.Record(Type.String(), anyJson({}), { description: 'Their attributes' }),
    flag_key: Type.String({ description: 'The flag' }),
    value: anyJson({ description: 'The value that they get' }),
    reason: Type.Enum([...REASONS], { description: 'The reason of the value' }),
    rule_index: Type.Optional(Type.Integer({ description: 'The rule that decides, counted from 0' })),
  },
  { description: 'A user who gets what is forbidden; absent where the shape of the flag is' },
)

/** An invariant that does not hold. */
export const Violation = Type.Object({
  key: invariantKey,
  enforcement,
  verdict: Type.Enum(['violated', 'undecided'], {
    description: '`undecided` where the analysis of all users did not end within its bounds',
  }),
  why: Type.String({ description: 'What is wrong' }),
  counter_example: Type.Optional(CounterExample),
})
export type Violation = Static<typeof Violation>
