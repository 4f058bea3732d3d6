import type {
  goalEventEndpoints,
  impressionEndpoints,
  propagationEndpoints,
  reportEndpoints,
  seenUserEndpoints,
  unknownFlagEndpoints,
} from '@burgee/contract'
import type { Place, World } from '../world.ts'
import type { Planners } from './plan.ts'

const ofEnvironment = async (_world: World, { environment_id }: Place) => ({
  params: { env_id: environment_id },
})

export const IMPRESSION_PLANS: Planners<typeof impressionEndpoints> = {
  ingestImpressions: async (_world, { environment_id }) => ({
    params: { env_id: environment_id },
    body: [{ flag_key: 'checkout', user_id: 'user-1', value: 'true' }],
  }),
  listImpressions: ofEnvironment,
  getImpressionStats: ofEnvironment,
  getExposure: async (_world, { environment_id }) => ({
    params: { env_id: environment_id },
    query: { flag_key: 'checkout' },
  }),
  getImpressionActivity: ofEnvironment,
}

export const GOAL_EVENT_PLANS: Planners<typeof goalEventEndpoints> = {
  ingestGoalEvents: async (_world, { environment_id }) => ({
    params: { env_id: environment_id },
    body: [{ event_key: 'order-placed', user_id: 'user-1', value: 2.5 }],
  }),
  listGoalEventKeys: ofEnvironment,
}

export const REPORT_PLANS: Planners<typeof reportEndpoints> = {
  deleteReports: async (_world, { environment_id }) => ({
    params: { env_id: environment_id },
    query: { flag_key: 'nobody-reports-this' },
  }),
}

export const SEEN_USER_PLANS: Planners<typeof seenUserEndpoints> = {
  deleteSeenUser: async (_world, { environment_id }) => ({
    params: { env_id: environment_id, user_key: 'user-1' },
  }),
}

export const UNKNOWN_FLAG_PLANS: Planners<typeof unknownFlagEndpoints> = {
  acknowledge: async () => ({ body: { unknown: [['typo-of-a-flag', 3]] } }),
  listUnknownFlags: ofEnvironment,
  dismissUnknownFlag: async ({ server, newName }, { environment_id }) => {
    const flag_key = newName('unknown-flag')
    const now = new Date().toISOString()
    const seen = { count: 1, first_seen: now, last_seen: now }
    await server.database.db
      .insertInto('unknown_flags')
      .values({ environment_id, flag_key, ...seen })
      .execute()
    return { params: { env_id: environment_id, key: flag_key } }
  },
}

export const PROPAGATION_PLANS: Planners<typeof propagationEndpoints> = {
  getPropagation: ofEnvironment,
  listClients: ofEnvironment,
}
