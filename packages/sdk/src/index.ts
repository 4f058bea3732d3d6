export type {
  Attributes,
  AttributeValue,
  Condition,
  EvaluatedFlag as Flag,
  Evaluation,
  FlagType,
  JsonValue,
  Operator,
  Prerequisite,
  Reason,
  TargetingRule,
  WeightedVariant,
} from '@burgee/evaluation'
export type {
  Client,
  ClientEvents,
  ClientStatus,
  ConnectOptions,
  Listener,
  RefreshOptions,
} from './client.ts'
export type { ClientError } from './client-error.ts'
export type { ClientOptions, EvaluationEvent, FlagSource } from './client-options.ts'
export { createClient } from './create-client.ts'
export type { FallbackOf, FlagKey, Flags, ValueOf, VariantOf, Widened } from './flags.ts'
export type { GoalDetail } from './reporting/goal-detail.ts'
export type { ReportCount } from './reporting/report-queue.ts'
export type { ConnectionState } from './stream/connection-machine.ts'
export type { UserKey } from './user.ts'
export type { DehydratedFlags, UserFlags, UserFlagsOptions } from './user-flags.ts'
