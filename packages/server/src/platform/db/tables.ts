import type {
  DeliveryJobsTable,
  DomainEventsTable,
  IntegrationDeliveriesTable,
  IntegrationsTable,
  WebhookDeliveriesTable,
  WebhooksTable,
} from './tables/delivery-tables.ts'
import type { DriftNotesTable } from './tables/drift-notes-table.ts'
import type {
  AuditChainsTable,
  AuditChunksTable,
  AuditLogTable,
  ChangeRequestsTable,
  EnvironmentChangesTable,
  FlagsTable,
  ScheduledChangesTable,
  SegmentsTable,
} from './tables/flag-tables.ts'
import type { InvariantsTable } from './tables/invariants-table.ts'
import type { PropagationTable, SdkClientServersTable, SdkClientsTable } from './tables/propagation-tables.ts'
import type {
  ClientReportNamesTable,
  CodeReferencesTable,
  CodeRepositoriesTable,
  ExperimentsTable,
  GoalEventsTable,
  GoalsTable,
  GoalUsersTable,
  ImpressionDaysTable,
  ImpressionFlagsTable,
  ImpressionsTable,
  ImpressionUsersTable,
  ImpressionValuesTable,
  ReportBatchesTable,
  ReportCountersTable,
  ReportDeletionsTable,
  SeenUserRemovalsTable,
  SeenUsersTable,
  UnknownFlagsTable,
} from './tables/report-tables.ts'
import type {
  ScimGroupsTable,
  ScimMembersTable,
  ScimSettingsTable,
  ScimUsersTable,
} from './tables/scim-tables.ts'
import type {
  GroupMappingsTable,
  IdentitiesTable,
  PasswordExceptionsTable,
  ProviderSessionsTable,
  UsedLoginStatesTable,
  UsedLogoutTokensTable,
  WaitingGroupChangesTable,
} from './tables/sso-tables.ts'
import type { StoredImpactsTable } from './tables/stored-impacts-table.ts'
import type {
  AccessTokensTable,
  DeletedEnvironmentsTable,
  EnvironmentConnectionsTable,
  EnvironmentRolesTable,
  EnvironmentsTable,
  FormerServiceAccountsTable,
  KeyStreamCountsTable,
  LoginFailuresTable,
  OneTimeLinksTable,
  PasskeysTable,
  ProjectMembersTable,
  ProjectsTable,
  RecoveryCodesTable,
  RolesTable,
  SdkKeysTable,
  SessionsTable,
  StoredBytesChangesTable,
  StreamCountsTable,
  TotpSecretsTable,
  UsedChallengesTable,
  UserPreferencesTable,
  UsersTable,
  WorkspaceTable,
} from './tables/workspace-tables.ts'

export type { StoredApproval } from './tables/flag-tables.ts'
export type { StoredAddress, StoredProfile } from './tables/scim-tables.ts'
export type { RightSource, RoleSource } from './tables/sso-tables.ts'
export type { LoginMethod, Role, UserKind } from './tables/workspace-tables.ts'

/**
 * The tables after all migrations. Timestamps are read and written as ISO 8601 UTC strings. JSON columns are
 * read parsed and written as JSON text (`JSON.stringify`), also for strings and null.
 */
export interface Database {
  workspace: WorkspaceTable
  users: UsersTable
  former_service_accounts: FormerServiceAccountsTable
  sessions: SessionsTable
  access_tokens: AccessTokensTable
  login_failures: LoginFailuresTable
  one_time_links: OneTimeLinksTable
  identities: IdentitiesTable
  group_mappings: GroupMappingsTable
  waiting_group_changes: WaitingGroupChangesTable
  scim_settings: ScimSettingsTable
  scim_users: ScimUsersTable
  scim_groups: ScimGroupsTable
  scim_members: ScimMembersTable
  provider_sessions: ProviderSessionsTable
  used_login_states: UsedLoginStatesTable
  used_logout_tokens: UsedLogoutTokensTable
  password_exceptions: PasswordExceptionsTable
  totp_secrets: TotpSecretsTable
  recovery_codes: RecoveryCodesTable
  passkeys: PasskeysTable
  used_challenges: UsedChallengesTable
  projects: ProjectsTable
  project_members: ProjectMembersTable
  roles: RolesTable
  environment_roles: EnvironmentRolesTable
  environments: EnvironmentsTable
  stored_bytes_changes: StoredBytesChangesTable
  sdk_keys: SdkKeysTable
  flags: FlagsTable
  segments: SegmentsTable
  environment_changes: EnvironmentChangesTable
  audit_log: AuditLogTable
  audit_chunks: AuditChunksTable
  audit_chains: AuditChainsTable
  domain_events: DomainEventsTable
  user_preferences: UserPreferencesTable
  stream_counts: StreamCountsTable
  key_stream_counts: KeyStreamCountsTable
  sdk_clients: SdkClientsTable
  sdk_client_places: SdkClientsTable
  sdk_client_servers: SdkClientServersTable
  propagation: PropagationTable
  environment_connections: EnvironmentConnectionsTable
  change_requests: ChangeRequestsTable
  scheduled_changes: ScheduledChangesTable
  report_counters: ReportCountersTable
  impressions: ImpressionsTable
  goal_events: GoalEventsTable
  impression_values: ImpressionValuesTable
  impression_flags: ImpressionFlagsTable
  impression_days: ImpressionDaysTable
  impression_users: ImpressionUsersTable
  goals: GoalsTable
  goal_users: GoalUsersTable
  client_report_names: ClientReportNamesTable
  report_batches: ReportBatchesTable
  report_deletions: ReportDeletionsTable
  seen_users: SeenUsersTable
  seen_user_removals: SeenUserRemovalsTable
  unknown_flags: UnknownFlagsTable
  invariants: InvariantsTable
  drift_notes: DriftNotesTable
  stored_impacts: StoredImpactsTable
  code_repositories: CodeRepositoriesTable
  code_references: CodeReferencesTable
  deleted_environments: DeletedEnvironmentsTable
  experiments: ExperimentsTable
  webhooks: WebhooksTable
  integrations: IntegrationsTable
  delivery_jobs: DeliveryJobsTable
  webhook_deliveries: WebhookDeliveriesTable
  integration_deliveries: IntegrationDeliveriesTable
}
