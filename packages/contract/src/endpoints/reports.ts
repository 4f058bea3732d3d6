import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { KEY_MAX_LENGTH, REPORTED_USER_ID_MAX_LENGTH } from '../limits.ts'
import { DeletedReports } from '../schemas/deleted-reports.ts'
import { environmentParams } from './params.ts'

export const reportEndpoints = {
  deleteReports: endpoint({
    method: 'DELETE',
    path: '/api/environments/:env_id/reports',
    summary: 'Delete the reports of a flag, an event key or a user',
    description:
      "Deletes single reports and their counts up to now; later reports are kept. Give exactly one of the three. Counts of a user's reports that are older than the retention cannot be attributed and stay, without the user. `(other)` deletes what was counted under that name.",
    tag: 'Impression',
    access: 'delete_reports',
    needsRecentLogin: true,
    params: environmentParams,
    query: Type.Object({
      flag_key: Type.Optional(
        Type.String({ minLength: 1, maxLength: KEY_MAX_LENGTH, description: 'Impressions of this flag' }),
      ),
      event_key: Type.Optional(
        Type.String({ minLength: 1, maxLength: KEY_MAX_LENGTH, description: 'Goal events with this key' }),
      ),
      user_id: Type.Optional(
        Type.String({
          maxLength: REPORTED_USER_ID_MAX_LENGTH,
          description: 'Impressions and goal events of this user',
        }),
      ),
    }),
    responses: { 200: DeletedReports },
  }),
} as const
