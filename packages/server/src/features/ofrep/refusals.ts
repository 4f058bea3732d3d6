import { Refusal } from '../../kernel/refusal.ts'

export const unknownFlag = (key: string): Refusal =>
  new Refusal(
    'not_found',
    `There is no flag "${key}" in the environment of this key. Check the key of the flag, and which environment the SDK key belongs to.`,
  )

export const malformedFlag = (key: string): Refusal =>
  new Refusal(
    'malformed',
    `The flag "${key}" cannot be evaluated. Open it in the dashboard and save it again.`,
  )
