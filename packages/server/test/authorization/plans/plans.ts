import type { endpoints } from '@burgee/contract'
import { EXPERIMENT_PLANS } from './experiment-plans.ts'
import { APPLY_PLANS, FLAG_PLANS, SEGMENT_PLANS } from './flag-plans.ts'
import { AUDIT_PLANS, CHANGE_REQUEST_PLANS, SCHEDULED_CHANGE_PLANS } from './governance-plans.ts'
import { PASSKEY_PLANS } from './passkey-plans.ts'
import {
  ACCESS_TOKEN_PLANS,
  AUTH_PLANS,
  LINK_PLANS,
  MEMBER_PLANS,
  PREFERENCE_PLANS,
  ROLE_PLANS,
  SCIM_PLANS,
  SERVICE_ACCOUNT_PLANS,
  SESSION_PLANS,
  SINGLE_SIGN_ON_PLANS,
  USER_PLANS,
} from './people-plans.ts'
import type { Planners } from './plan.ts'
import { INTEGRATION_PLANS, WEBHOOK_PLANS } from './receiver-plans.ts'
import { GOAL_EVENT_PLANS, IMPRESSION_PLANS, REPORT_PLANS, UNKNOWN_FLAG_PLANS } from './report-plans.ts'
import { SECOND_FACTOR_PLANS } from './second-factor-plans.ts'
import {
  ENVIRONMENT_PLANS,
  OFREP_PLANS,
  PROJECT_PLANS,
  SDK_KEY_PLANS,
  SETUP_PLANS,
  STREAM_PLANS,
  SYSTEM_PLANS,
} from './structure-plans.ts'

/** The valid requests of each endpoint, by its name. */
export const PLANNERS: Planners<typeof endpoints> = {
  ...SYSTEM_PLANS,
  ...SETUP_PLANS,
  ...AUTH_PLANS,
  ...SECOND_FACTOR_PLANS,
  ...PASSKEY_PLANS,
  ...SINGLE_SIGN_ON_PLANS,
  ...SCIM_PLANS,
  ...SESSION_PLANS,
  ...USER_PLANS,
  ...LINK_PLANS,
  ...ACCESS_TOKEN_PLANS,
  ...SERVICE_ACCOUNT_PLANS,
  ...PROJECT_PLANS,
  ...MEMBER_PLANS,
  ...ROLE_PLANS,
  ...PREFERENCE_PLANS,
  ...ENVIRONMENT_PLANS,
  ...SDK_KEY_PLANS,
  ...FLAG_PLANS,
  ...APPLY_PLANS,
  ...SEGMENT_PLANS,
  ...CHANGE_REQUEST_PLANS,
  ...SCHEDULED_CHANGE_PLANS,
  ...EXPERIMENT_PLANS,
  ...IMPRESSION_PLANS,
  ...GOAL_EVENT_PLANS,
  ...REPORT_PLANS,
  ...UNKNOWN_FLAG_PLANS,
  ...OFREP_PLANS,
  ...AUDIT_PLANS,
  ...WEBHOOK_PLANS,
  ...INTEGRATION_PLANS,
  ...STREAM_PLANS,
}
