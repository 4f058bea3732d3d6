import type { JsonValue } from '@burgee/evaluation'
import type { Generated, GeneratedAlways } from 'kysely'
import type { NullableJson } from './json-column.ts'

export interface ReportCountersTable {
  environment_id: string
  kind: 'impression' | 'goal_event'
  last_id: Generated<number>
  received_on: Generated<string>
  day_first_id: Generated<number>
  is_deleting: Generated<boolean>
}

export interface ImpressionsTable {
  id: number
  environment_id: string
  flag_key: string
  user_id: string | null
  value: string
  context: NullableJson<Record<string, JsonValue>>
  evaluated_at: string
  received_on: string
}

export interface GoalEventsTable {
  id: number
  environment_id: string
  event_key: string
  user_id: string | null
  value: number | null
  context: NullableJson<Record<string, JsonValue>>
  occurred_at: string
  received_on: string
}

export interface ImpressionValuesTable {
  environment_id: string
  flag_key: string
  value_hash: Buffer
  value: string
  impressions: number
  unique_users: number
  last_seen: string
  last_id: number
}

export interface ImpressionFlagsTable {
  environment_id: string
  flag_key: string
  unique_users: number
  version: number
  deleted_to: Generated<number>
}

export interface ImpressionDaysTable {
  environment_id: string
  flag_key: string
  value_hash: Buffer
  day: string
  received_on: string
  impressions: number
  last_id: Generated<number>
}

export interface ImpressionUsersTable {
  environment_id: string
  flag_key: string
  user_hash: Buffer
  value_hash: Buffer
  first_at: string
  first_id: number
}

export interface GoalsTable {
  environment_id: string
  event_key: string
  total: number
  unique_users: number
  last_seen: string
  version: number
  deleted_to: Generated<number>
}

export interface GoalUsersTable {
  environment_id: string
  event_key: string
  user_hash: Buffer
  first_at: string
  last_at: string
  first_id: Generated<number>
}

export interface ClientReportNamesTable {
  environment_id: string
  kind: 'flag' | 'value' | 'event'
  flag_key: Generated<string>
  day: string
  taken: number
}

export interface CodeRepositoriesTable {
  project_id: string
  repo: string
  commit: string
  branch: string
  url_template: string | null
  updated_at: string
}

export interface CodeReferencesTable {
  project_id: string
  repo: string
  position: number
  flag_key: string
  path: string
  line: number
  text: string
}

export interface UnknownFlagsTable {
  environment_id: string
  flag_key: string
  count: number
  first_seen: string
  last_seen: string
  app: Generated<string | null>
  sdk: Generated<string | null>
}

export interface SeenUsersTable {
  environment_id: string
  day: string
  user_hash: Buffer
  user_key: string
  attributes: NullableJson<Record<string, JsonValue>>
  seen_at: string
}

/** The number of times that seen users of an environment, or what is kept of them, were removed. */
export interface SeenUserRemovalsTable {
  environment_id: string
  removals: number
}

export interface ReportDeletionsTable {
  id: GeneratedAlways<number>
  environment_id: string
  subject: 'flag' | 'event' | 'user'
  name: string
  impressions_to: number | null
  goal_events_to: number | null
  cursor_id: Generated<number>
  removed: Generated<number>
}

export interface ExperimentsTable {
  id: string
  environment_id: string
  key: string
  name: string
  description: string | null
  flag_key: string
  goal_event_key: string
  control_variant: string | null
  status: Generated<'running' | 'paused' | 'completed'>
  created_at: string
}

export interface ReportBatchesTable {
  environment_id: string
  reporter: string
  sender: string
  number: number
  stored_at: Generated<string>
}
