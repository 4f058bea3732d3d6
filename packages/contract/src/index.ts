export {
  ACCESS,
  type Access,
  isAllowed,
  PERMISSIONS,
  type Permission,
  PROJECT_ROLES,
  type ProjectRole,
  ROLE_PERMISSIONS,
  SERVER_KEY_PERMISSIONS,
  type UserRights,
} from './access.ts'
export {
  APPLY_FILE_FIELDS,
  APPLY_FILE_VERSION,
  APPLY_ITEM_FIELDS,
  applyFileSchema,
} from './apply-file-schema.ts'
export * from './audit/index.ts'
export { type Addressed, type Endpoint, endpoint, type Method } from './endpoint.ts'
export type { EndpointBody, EndpointInput, EndpointName, EndpointReply } from './endpoint-types.ts'
export * from './endpoints.ts'
export { findUnknownFields, PART_FIELDS } from './find-unknown-fields.ts'
export * from './generate/index.ts'
export * from './json/index.ts'
export * from './limits.ts'
export * from './most-changed.ts'
export type { JsonSchema, OpenApiDocument, Operation, Parameter } from './open-api/document.ts'
export { OVERRIDE_HEADER, openApiDocument, openApiInSteps } from './open-api.ts'
export {
  isPlain,
  PLAIN_FORMATS,
  PLAIN_TEXT_REFUSAL,
  type PlainFormat,
  toPlainName,
} from './plain-text.ts'
export { AMBIGUOUS_SHARE, completeShare, isAmbiguous, percentageOf } from './rollout-share.ts'
export {
  AccessToken,
  AccessTokenInput,
  AccessTokenScope,
  CreatedAccessToken,
} from './schemas/access-token.ts'
export {
  type AppliedChange,
  type AppliedFlag,
  type AppliedSegment,
  ApplyInput,
  ApplyResult,
} from './schemas/apply.ts'
export {
  AUDIT_PROBLEMS,
  AuditHead,
  type AuditProblem,
  AuditVerification,
} from './schemas/audit-chain.ts'
export {
  AUDIT_ACTIONS,
  AUDIT_GROUP_KINDS,
  AUDIT_GROUPS,
  AUTHENTICATION_ACTIONS,
  AuditEntry,
  type AuditGroup,
  type AuthenticationAction,
  PlacedAuditEntry,
} from './schemas/audit-entry.ts'
export { ChangePreview } from './schemas/change-preview.ts'
export {
  CHANGE_REQUEST_STATUSES,
  ChangeRequest,
  DecidedChange,
  FLAG_OPERATIONS,
  NOT_COUNTED,
  type NotCounted,
  OpenedChangeRequest,
  PlacedChangeRequest,
  type RequestedWith,
} from './schemas/change-request.ts'
export { Commented, CommentInput } from './schemas/comment.ts'
export { Role, Timestamp } from './schemas/common.ts'
export { DeletedReports } from './schemas/deleted-reports.ts'
export { DOMAIN_EVENTS, type DomainEventType } from './schemas/domain-event.ts'
export { DriftNote, DriftNoteInput } from './schemas/drift-note.ts'
export {
  ApprovalInput,
  ApprovalOutcome,
  ApprovalScope,
  Approvers,
  Connections,
  Environment,
  EnvironmentInput,
  EnvironmentPatch,
} from './schemas/environment.ts'
export type { RevertConflict } from './schemas/error.ts'
export { ERROR_REASONS, ErrorBody, type ErrorReason } from './schemas/error.ts'
export {
  EvaluateHistoryInput,
  EvaluateHistoryResult,
  EvaluateInput,
  EvaluateResult,
} from './schemas/evaluation.ts'
export { ExceededBound } from './schemas/exceeded-bound.ts'
export { Experiment, ExperimentInput, ExperimentPatch, ExperimentResults } from './schemas/experiment.ts'
export {
  CONTROL_PLANE_FIELDS,
  Flag,
  FlagInput,
  FlagPatch,
  type FlagTimes,
  ListedFlag,
  PromoteInput,
  WrittenFlag,
} from './schemas/flag.ts'
export { BULK_ACTIONS, BulkInput, BulkResult } from './schemas/flag-bulk.ts'
export { FlagComparison } from './schemas/flag-comparison.ts'
export { FLAG_EXTENSIONS, type FlagExtensionName, type FlagExtensions } from './schemas/flag-extensions.ts'
export { FlagHistoryEntry, RestoreInput } from './schemas/flag-history.ts'
export { FlagPreview } from './schemas/flag-preview.ts'
export { GoalEventInput, GoalEventSummary } from './schemas/goal-event.ts'
export { Impact, ImpactChange, ImpactInput, ImpactUser, StoredImpact } from './schemas/impact.ts'
export {
  IMPORT_CLASSES,
  IMPORT_SYSTEMS,
  type ImportClass,
  ImportInput,
  ImportResult,
  type ImportSystem,
} from './schemas/import.ts'
export {
  Exposure,
  FlagActivity,
  Impression,
  ImpressionInput,
  ImpressionPage,
  ImpressionStats,
} from './schemas/impression.ts'
export { IncidentEntry, PastImpact } from './schemas/incident.ts'
export {
  Integration,
  IntegrationDelivery,
  IntegrationInput,
  IntegrationPatch,
  IntegrationTest,
} from './schemas/integration.ts'
export {
  Invariant,
  InvariantCheck,
  InvariantCheckInput,
  InvariantInput,
  InvariantPatch,
} from './schemas/invariant.ts'
export {
  CleanupPlan,
  DEPENDANT_KINDS,
  ProjectFlag,
  ReferencesInput,
  STALE_CODES,
  STALE_VERDICTS,
  StaleFlag,
  StoredReferences,
} from './schemas/lifecycle.ts'
export {
  ManifestArchived,
  type ManifestEntry,
  ManifestFailure,
  ManifestFlags,
  ManifestPatch,
  WrittenManifestEntry,
} from './schemas/manifest.ts'
export { Member, MemberCandidate, MemberInput, MemberPatch } from './schemas/member.ts'
export { OfrepBulkEvaluation, OfrepEvaluation, OfrepFailure } from './schemas/ofrep.ts'
export { InvitationInput, LinkInput, LinkTarget, RedeemInput, SentLink } from './schemas/one-time-link.ts'
export {
  Passkey,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyInput,
  PasskeyRequestOptions,
} from './schemas/passkey.ts'
export { Preferences, PreferencesPatch } from './schemas/preferences.ts'
export { CreatedProject, Project } from './schemas/project.ts'
export {
  ClientState,
  Propagation,
  SdkClient,
  SdkClientPage,
} from './schemas/propagation.ts'
export { type RevertedChange, RevertInput, RevertResult } from './schemas/revert.ts'
export { CustomRole, CustomRoleInput, CustomRolePatch, OwnAccess } from './schemas/role.ts'
export {
  AttributeTest,
  Condition,
  ConditionInput,
  SEGMENT_OPERATORS,
  SegmentCondition,
  TargetingRule,
  TargetingRuleInput,
  WeightedVariant,
} from './schemas/rule.ts'
export type { RuleOrigin } from './schemas/rule-origin.ts'
export { ScheduledChange, ScheduledChangeInput } from './schemas/scheduled-change.ts'
export {
  CreatedScimToken,
  RECEIVED_GROUPS_SHOWN,
  type ReceivedGroup,
  ScimSettings,
  ScimSettingsPatch,
} from './schemas/scim.ts'
export { CreatedSdkKey, SdkKey, SdkKeyInput, SdkKeyKind } from './schemas/sdk-key.ts'
export {
  NewTotp,
  RecoveryCodes,
  SECOND_FACTOR_POLICIES,
  SecondFactorProof,
  SecondFactors,
} from './schemas/second-factor.ts'
export {
  Segment,
  SegmentInput,
  SegmentPatch,
  SegmentPreview,
  SegmentPreviewInput,
  WrittenSegment,
} from './schemas/segment.ts'
export {
  ServiceAccount,
  ServiceAccountInput,
  ServiceAccountPatch,
  UpdatedServiceAccount,
  USER_KINDS,
} from './schemas/service-account.ts'
export { LOGIN_METHODS, Session } from './schemas/session.ts'
export {
  GroupMapping,
  GroupMappingInput,
  OwnIdentity,
  PendingLink,
  SignInOptions,
  SingleSignOnSettings,
  SSO_FAILURES,
  type SsoFailure,
} from './schemas/single-sign-on.ts'
export { AckInput, UnknownFlag, UnknownFlagReason } from './schemas/unknown-flag.ts'
export {
  DisabledUser,
  DisableInput,
  PasswordChange,
  User,
  UserInput,
  UserPatch,
  WrittenUser,
} from './schemas/user.ts'
export { Violation } from './schemas/violation.ts'
export { WARNING_CODES, Warning } from './schemas/warning.ts'
export {
  isShortSecret,
  SHORT_SECRET_CHARS,
  Webhook,
  WebhookDelivery,
  WebhookInput,
  WebhookPatch,
  WrittenWebhook,
} from './schemas/webhook.ts'
export {
  Credentials,
  CurrentUser,
  Email,
  PASSWORD_POLICIES,
  Password,
  type PasswordPolicy,
  SetupInput,
  Workspace,
  WorkspacePatch,
  WorkspaceSettings,
} from './schemas/workspace.ts'
export { SECOND_FACTORS, type SecondFactor } from './second-factors.ts'
export { namesSegment, segmentsBehind, segmentsNamedBy } from './segments-behind.ts'
export { type ApplyPart, splitApply } from './split-apply.ts'
export * from './wording/index.ts'
