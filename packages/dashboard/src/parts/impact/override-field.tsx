import { OVERRIDE_REASON_MAX_LENGTH } from '@burgee/contract'
import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Permission } from '../../shared/scope/use-permissions.ts'
import { Gated } from '../../shared/ui/gated.tsx'

interface OverrideFieldProps {
  readonly permission: Permission
  readonly reason: string
  readonly onReason: (reason: string) => void
}

/** Saving is closed by invariants: those who may override them give a reason for it. */
export function OverrideField({ onReason, permission, reason }: OverrideFieldProps) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <OverrideReason value={reason} onChange={onReason} />
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed">
        An invariant blocks this change.
      </Text>
      <Gated permission={permission}>
        <Button variant="subtle" color="red" size="compact-sm" onClick={() => setOpen(true)}>
          Override…
        </Button>
      </Gated>
    </Group>
  )
}

interface OverrideReasonProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Takes the reason for an override. */
export function OverrideReason({ onChange, value }: OverrideReasonProps) {
  return (
    <TextInput
      label="Why are the invariants overridden?"
      description="Shown in the audit log and in Slack & Teams alerts."
      value={value}
      maxLength={OVERRIDE_REASON_MAX_LENGTH}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-autofocus
    />
  )
}
