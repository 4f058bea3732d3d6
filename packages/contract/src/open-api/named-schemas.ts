import { AccessToken, AccessTokenInput, CreatedAccessToken } from '../schemas/access-token.ts'
import { AuditEntry } from '../schemas/audit-entry.ts'
import { ChangePreview, ChangeRequest, RejectInput } from '../schemas/change-request.ts'
import {
  ApprovalInput,
  Connections,
  Environment,
  EnvironmentInput,
  EnvironmentPatch,
} from '../schemas/environment.ts'
import { ErrorBody } from '../schemas/error.ts'
import {
  Condition,
  ExpandedFlag,
  Flag,
  FlagInput,
  FlagPatch,
  Prerequisite,
  PromoteInput,
  TargetingRule,
  TargetingRuleInput,
  WeightedVariant,
  WrittenFlag,
} from '../schemas/flag.ts'
import { BulkInput, BulkResult } from '../schemas/flag-bulk.ts'
import { FlagComparison } from '../schemas/flag-comparison.ts'
import { FlagHistoryEntry, RestoreInput } from '../schemas/flag-history.ts'
import { Member, MemberCandidate, MemberInput, MemberPatch } from '../schemas/member.ts'
import { CreatedProject, Project, ProjectInput } from '../schemas/project.ts'
import { ScheduledChange, ScheduledChangeInput } from '../schemas/scheduled-change.ts'
import { CreatedSdkKey, SdkKey, SdkKeyInput } from '../schemas/sdk-key.ts'
import { Segment, SegmentInput, SegmentPatch, WrittenSegment } from '../schemas/segment.ts'
import { PasswordChange, User, UserInput, UserPatch } from '../schemas/user.ts'
import { Warning } from '../schemas/warning.ts'
import {
  Credentials,
  CurrentUser,
  SetupInput,
  SetupState,
  Workspace,
  WorkspaceInput,
} from '../schemas/workspace.ts'

/** The schemas that the OpenAPI document names, rather than repeating them wherever they are used. */
export const NAMED_SCHEMAS = {
  Workspace,
  WorkspaceInput,
  Credentials,
  CurrentUser,
  PasswordChange,
  SetupState,
  SetupInput,
  User,
  UserInput,
  UserPatch,
  AccessToken,
  AccessTokenInput,
  CreatedAccessToken,
  Project,
  ProjectInput,
  CreatedProject,
  Member,
  MemberInput,
  MemberPatch,
  MemberCandidate,
  Environment,
  EnvironmentInput,
  EnvironmentPatch,
  ApprovalInput,
  Connections,
  SdkKey,
  SdkKeyInput,
  CreatedSdkKey,
  Flag,
  FlagInput,
  FlagPatch,
  WrittenFlag,
  ExpandedFlag,
  TargetingRule,
  TargetingRuleInput,
  Condition,
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
  ChangePreview,
  RejectInput,
  ScheduledChange,
  ScheduledChangeInput,
  AuditEntry,
  Warning,
  ErrorBody,
} as const
