import { type Static, Type } from 'typebox'

/** The progress of deleting reports. */
export const DeletedReports = Type.Object(
  {
    reports: Type.Integer({ description: 'Impressions or goal events that were deleted' }),
    complete: Type.Boolean({
      description: 'False when there are so many that the rest is removed in the background',
    }),
  },
  { examples: [{ reports: 1530, complete: true }] },
)
export type DeletedReports = Static<typeof DeletedReports>
