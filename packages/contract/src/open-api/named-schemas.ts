import { Environment } from '../schemas/environment.ts'
import { ErrorBody } from '../schemas/error.ts'
import {
  Condition,
  Flag,
  FlagInput,
  FlagPatch,
  Prerequisite,
  TargetingRule,
  WeightedVariant,
  WrittenFlag,
} from '../schemas/flag.ts'
import { CreatedProject, Project } from '../schemas/project.ts'
import { CreatedSdkKey, SdkKey, SdkKeyInput } from '../schemas/sdk-key.ts'
import { Segment, SegmentInput, SegmentPatch, WrittenSegment } from '../schemas/segment.ts'
import { Warning } from '../schemas/warning.ts'
import { CurrentUser, SetupInput, Workspace } from '../schemas/workspace.ts'

/** The schemas that the OpenAPI document names, rather than repeating them wherever they are used. */
export const NAMED_SCHEMAS = {
  Workspace,
  CurrentUser,
  SetupInput,
  Project,
  CreatedProject,
  Environment,
  SdkKey,
  SdkKeyInput,
  CreatedSdkKey,
  Flag,
  FlagInput,
  FlagPatch,
  WrittenFlag,
  TargetingRule,
  Condition,
  WeightedVariant,
  Prerequisite,
  Segment,
  SegmentInput,
  SegmentPatch,
  WrittenSegment,
  Warning,
  ErrorBody,
} as const
