import { AccessToken, AccessTokenInput, CreatedAccessToken } from '../schemas/access-token.ts'
import { AuditHead, AuditVerification } from '../schemas/audit-chain.ts'
import { AuditEntry } from '../schemas/audit-entry.ts'
import { ChangePreview } from '../schemas/change-preview.ts'
import { ChangeRequest, DecidedChange, OpenedChangeRequest, RejectInput } from '../schemas/change-request.ts'
import { DeletedReports } from '../schemas/deleted-reports.ts'
import { DriftNote, DriftNoteInput } from '../schemas/drift-note.ts'
import {
  ApprovalInput,
  ApprovalOutcome,
  Connections,
  Environment,
  EnvironmentInput,
  EnvironmentPatch,
} from '../schemas/environment.ts'
import { ErrorBody } from '../schemas/error.ts'
import { ExceededBound } from '../schemas/exceeded-bound.ts'
import { Experiment, ExperimentInput, ExperimentPatch, ExperimentResults } from '../schemas/experiment.ts'
import {
  ExpandedFlag,
  Flag,
  FlagInput,
  FlagPatch,
  ListedFlag,
  Prerequisite,
  PromoteInput,
  WrittenFlag,
} from '../schemas/flag.ts'
import { BulkInput, BulkResult } from '../schemas/flag-bulk.ts'
import { FlagComparison } from '../schemas/flag-comparison.ts'
import { FlagHistoryEntry, RestoreInput } from '../schemas/flag-history.ts'
import { GoalEventInput, GoalEventSummary } from '../schemas/goal-event.ts'
import {
  Exposure,
  FlagActivity,
  Impression,
  ImpressionInput,
  ImpressionStats,
} from '../schemas/impression.ts'
import {
  Integration,
  IntegrationDelivery,
  IntegrationInput,
  IntegrationPatch,
  IntegrationTest,
} from '../schemas/integration.ts'
import { Invariant, InvariantInput, InvariantPatch } from '../schemas/invariant.ts'
import {
  CleanupPlan,
  ProjectFlag,
  ReferencesInput,
  StaleFlag,
  StoredReferences,
} from '../schemas/lifecycle.ts'
import {
  ManifestArchived,
  ManifestEntry,
  ManifestFailure,
  ManifestFlags,
  ManifestPatch,
  WrittenManifestEntry,
} from '../schemas/manifest.ts'
import { Member, MemberCandidate, MemberInput, MemberPatch } from '../schemas/member.ts'
import { OfrepBulkEvaluation, OfrepEvaluation, OfrepFailure, OfrepRequest } from '../schemas/ofrep.ts'
import { SentLink } from '../schemas/one-time-link.ts'
import {
  AddedPasskey,
  Passkey,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyInput,
  PasskeyLogin,
  PasskeyPatch,
  PasskeyPurpose,
  PasskeyRequestOptions,
} from '../schemas/passkey.ts'
import { Preferences, PreferencesPatch } from '../schemas/preferences.ts'
import { CreatedProject, NewProjectInput, Project, ProjectInput } from '../schemas/project.ts'
import { Propagation, SdkClient, SdkClientPage } from '../schemas/propagation.ts'
import {
  AttributeTest,
  Condition,
  ConditionInput,
  SegmentCondition,
  TargetingRule,
  TargetingRuleInput,
  WeightedVariant,
} from '../schemas/rule.ts'
import { CreatedScheduledChange, ScheduledChange, ScheduledChangeInput } from '../schemas/scheduled-change.ts'
import { CreatedScimToken, ScimSettings, ScimSettingsPatch } from '../schemas/scim.ts'
import { CreatedSdkKey, SdkKey, SdkKeyInput } from '../schemas/sdk-key.ts'
import { Segment, SegmentInput, SegmentPatch, WrittenSegment } from '../schemas/segment.ts'
import {
  ServiceAccount,
  ServiceAccountInput,
  ServiceAccountPatch,
  UpdatedServiceAccount,
} from '../schemas/service-account.ts'
import { Session } from '../schemas/session.ts'
import {
  ConfirmedLink,
  GroupMapping,
  GroupMappingInput,
  LinkConfirmation,
  OwnIdentity,
  PendingLink,
  ProviderLogout,
  SignInOptions,
  SingleSignOnSettings,
} from '../schemas/single-sign-on.ts'
import { AckInput, UnknownFlag } from '../schemas/unknown-flag.ts'
import { DisabledUser, DisableInput, PasswordChange, User, UserInput, UserPatch } from '../schemas/user.ts'
import { Warning } from '../schemas/warning.ts'
import { Webhook, WebhookDelivery, WebhookInput, WebhookPatch } from '../schemas/webhook.ts'
import {
  Credentials,
  CurrentUser,
  SetupInput,
  SetupState,
  Workspace,
  WorkspacePatch,
  WorkspaceSettings,
} from '../schemas/workspace.ts'

/** The schemas that the OpenAPI document defines once, by name, and references everywhere else. */
export const NAMED_SCHEMAS = {
  Workspace,
  WorkspacePatch,
  WorkspaceSettings,
  Credentials,
  CurrentUser,
  PasswordChange,
  SignInOptions,
  PendingLink,
  LinkConfirmation,
  ConfirmedLink,
  ProviderLogout,
  OwnIdentity,
  SingleSignOnSettings,
  GroupMapping,
  GroupMappingInput,
  ScimSettings,
  ScimSettingsPatch,
  CreatedScimToken,
  SetupState,
  SetupInput,
  SentLink,
  Session,
  Passkey,
  PasskeyPatch,
  PasskeyInput,
  AddedPasskey,
  PasskeyPurpose,
  PasskeyAssertion,
  PasskeyLogin,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  DisableInput,
  DisabledUser,
  User,
  UserInput,
  UserPatch,
  AccessToken,
  AccessTokenInput,
  CreatedAccessToken,
  ServiceAccount,
  ServiceAccountInput,
  ServiceAccountPatch,
  UpdatedServiceAccount,
  Project,
  ProjectInput,
  NewProjectInput,
  CreatedProject,
  Member,
  MemberInput,
  MemberPatch,
  MemberCandidate,
  Preferences,
  PreferencesPatch,
  Environment,
  EnvironmentInput,
  EnvironmentPatch,
  ApprovalInput,
  ApprovalOutcome,
  Connections,
  SdkKey,
  SdkKeyInput,
  CreatedSdkKey,
  Flag,
  FlagInput,
  FlagPatch,
  ListedFlag,
  WrittenFlag,
  ExpandedFlag,
  TargetingRule,
  TargetingRuleInput,
  AttributeTest,
  Condition,
  ConditionInput,
  SegmentCondition,
  WeightedVariant,
  Prerequisite,
  PromoteInput,
  FlagHistoryEntry,
  RestoreInput,
  BulkInput,
  BulkResult,
  FlagComparison,
  Segment,
  SegmentInput,
  SegmentPatch,
  WrittenSegment,
  ChangeRequest,
  OpenedChangeRequest,
  ChangePreview,
  DecidedChange,
  RejectInput,
  ScheduledChange,
  CreatedScheduledChange,
  ScheduledChangeInput,
  Experiment,
  ExperimentInput,
  ExperimentPatch,
  ExperimentResults,
  ImpressionInput,
  Impression,
  ImpressionStats,
  Exposure,
  FlagActivity,
  GoalEventInput,
  GoalEventSummary,
  DeletedReports,
  AckInput,
  UnknownFlag,
  Propagation,
  SdkClient,
  SdkClientPage,
  OfrepRequest,
  OfrepEvaluation,
  OfrepBulkEvaluation,
  DriftNote,
  DriftNoteInput,
  ExceededBound,
  Invariant,
  InvariantInput,
  InvariantPatch,
  CleanupPlan,
  ProjectFlag,
  ReferencesInput,
  StaleFlag,
  StoredReferences,
  ManifestArchived,
  ManifestEntry,
  ManifestFailure,
  ManifestFlags,
  ManifestPatch,
  WrittenManifestEntry,
  OfrepFailure,
  AuditEntry,
  AuditHead,
  AuditVerification,
  Webhook,
  WebhookInput,
  WebhookPatch,
  WebhookDelivery,
  Integration,
  IntegrationInput,
  IntegrationPatch,
  IntegrationTest,
  IntegrationDelivery,
  Warning,
  ErrorBody,
} as const
