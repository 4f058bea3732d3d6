import { type Static, Type } from 'typebox'

export const WARNING_CODES = [
  'unknown_field',
  'unknown_segment',
  'unknown_prerequisite',
  'prerequisite_cycle',
  'prerequisite_archived',
  'not_equals_many',
  'rule_unreachable',
  'required_value_unreachable',
] as const

/** A legal write that is probably a mistake (contract, section 3). `path` is a JSON pointer into the body's resource. */
export const Warning = Type.Object({
  code: Type.Enum([...WARNING_CODES]),
  path: Type.String(),
  message: Type.String(),
})
export type Warning = Static<typeof Warning>
