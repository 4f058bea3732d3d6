import { type Static, Type } from 'typebox'
import { COLOR_PATTERN } from '../limits.ts'
import { Timestamp, Uuid } from './common.ts'

export const ApprovalScope = Type.Enum(['patch', 'all'])

export const Environment = Type.Object({
  id: Uuid,
  name: Type.String(),
  slug: Type.String(),
  color: Type.String({ pattern: COLOR_PATTERN }),
  is_default: Type.Boolean(),
  created_at: Timestamp,
  require_approval: Type.Boolean(),
  approval_scope: ApprovalScope,
})
export type Environment = Static<typeof Environment>
