import { Type } from 'typebox'

/** The choice for the scheduled changes of an account that is disabled. */
export const wantedForSchedules = Type.Optional(
  Type.Enum(['keep', 'cancel'], {
    description: 'What happens to the scheduled changes of the account; `keep` by default',
  }),
)

/** The outcome of the choice. */
export const settledSchedules = Type.Object(
  {
    kept: Type.Integer({ description: 'The number that still run when they are due' }),
    cancelled: Type.Integer({ description: 'The number that were withdrawn' }),
  },
  { description: 'The scheduled changes of the account' },
)
