import { Button, Group, Stack, Textarea } from '@mantine/core'
import { getHotkeyHandler } from '@mantine/hooks'
import { type ReactNode, useRef, useState } from 'react'
import { bothPermissions } from '../../shared/comments/use-comment.tsx'
import type { Permission } from '../../shared/scope/use-permissions.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { Gated } from '../../shared/ui/gated.tsx'

interface ReasonFormProps {
  readonly description: string
  readonly maxLength?: number
  readonly isRequired?: boolean
  readonly submitLabel: string
  /** The title of a failure. */
  readonly failureTitle: string
  readonly permission: Permission
  readonly isBusy: boolean
  /** Null where nothing went wrong. */
  readonly failure: unknown
  /** Null: without a reason. */
  readonly onSubmit: (reason: string | null) => void
  readonly onBack: () => void
  /** Shown above and below the reason. */
  readonly intro?: ReactNode
  readonly children?: ReactNode
}

/** A decision with a reason: a rejection, or a change without the approval of others. */
export function ReasonForm({ isRequired = false, onBack, onSubmit, permission, ...shown }: ReasonFormProps) {
  const [text, setText] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const reason = text.trim() || null
  const written: Permission =
    isRequired && reason === null
      ? { isAllowed: false, reason: 'Write the reason first.' }
      : { isAllowed: true }
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isRequired || reason !== null) onSubmit(reason)
      }}
    >
      <Stack gap="sm">
        {shown.intro}
        <Textarea
          label="Reason"
          description={shown.description}
          required={isRequired}
          {...(shown.maxLength !== undefined && { maxLength: shown.maxLength })}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={getHotkeyHandler([
            ['mod+Enter', () => form.current?.requestSubmit()],
            ['Escape', onBack],
          ])}
          autosize
          minRows={2}
          maxRows={8}
          autoFocus
        />
        {shown.children}
        {shown.failure !== null && <Failure error={shown.failure} title={shown.failureTitle} />}
        <Group gap="xs">
          <Gated permission={bothPermissions(permission, written)}>
            <Button type="submit" color="red" loading={shown.isBusy}>
              {shown.submitLabel}
            </Button>
          </Gated>
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
