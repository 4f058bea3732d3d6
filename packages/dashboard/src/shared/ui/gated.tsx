import { Tooltip } from '@mantine/core'
import { cloneElement, type ReactElement } from 'react'
import type { Permission } from '../scope/use-permissions.ts'
import { ReasonWithGivers } from './reason-with-givers.tsx'

interface GatedProps {
  readonly permission: Permission
  readonly children: ReactElement<{ disabled?: boolean }>
  /** The props that a wrapper around it, such as a menu's target, gives to the control. */
  readonly [given: string]: unknown
}

/**
 * A control that a role may not use is shown disabled. Its tooltip has the reason, and who can give the
 * right. It can be reached with the keyboard, since the wrapper takes the focus that a disabled control does
 * not.
 */
export function Gated({ permission, children, ...given }: GatedProps) {
  if (permission.isAllowed) return cloneElement(children, given)
  return (
    <Tooltip
      label={<ReasonWithGivers permission={permission} />}
      events={{ hover: true, focus: true, touch: true }}
      multiline
      maw={280}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no inline wrapper */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: else the reason cannot be read without a mouse */}
      <span tabIndex={0} role="group" aria-label={permission.reason} style={{ display: 'inline-block' }}>
        {cloneElement(children, { disabled: true })}
      </span>
    </Tooltip>
  )
}
