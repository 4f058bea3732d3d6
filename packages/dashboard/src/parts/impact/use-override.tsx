import type { ImpactChange } from '@burgee/contract'
import { type ReactNode, useState } from 'react'
import { useOverridePermission } from '../../shared/scope/use-override-permission.ts'
import type { Permission } from '../../shared/scope/use-permissions.ts'
import { isBlocked } from './is-blocked.ts'
import { OverrideField } from './override-field.tsx'
import { useImpact } from './use-impact.ts'

interface OverriddenWrite {
  readonly environment_id: string
  readonly changes: readonly ImpactChange[]
  /** The server's refusal of the write; null without one. */
  readonly failure: unknown
  /** True where invariants do not decide now: the write requests approval first, or nothing is written. */
  readonly isLater: boolean
}

interface Override {
  /** True while an invariant blocks the write. */
  readonly isClosed: boolean
  /** For the options of the call. Undefined without a reason. */
  readonly overrideReason: string | undefined
  /** The input, for the dialog; null where nothing blocks the write. */
  readonly field: ReactNode
  /** For the button: refused while the reason is missing. */
  readonly permission: Permission
}

/**
 * The override of invariants that block a write, with its reason, for people who may. The dialog shows the
 * impact of the same changes.
 */
export function useOverride({ changes, environment_id, failure, isLater }: OverriddenWrite): Override {
  const impact = useImpact(environment_id, changes, !isLater)
  const mayOverride = useOverridePermission()([environment_id])
  const [text, setText] = useState('')
  if (isLater || !isBlocked(impact.data, failure)) return OPEN
  const overrideReason = text.trim() || undefined
  return {
    isClosed: true,
    overrideReason,
    field: <OverrideField permission={mayOverride} reason={text} onReason={setText} />,
    permission: overrideReason === undefined ? CLOSED : ALLOWED,
  }
}

const ALLOWED: Permission = { isAllowed: true }
const CLOSED: Permission = {
  isAllowed: false,
  reason: 'An invariant blocks this change. Override it with a reason, or change what it violates.',
}
const OPEN: Override = { isClosed: false, overrideReason: undefined, field: null, permission: ALLOWED }
