import { Button, Group, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { type ReactNode, useState } from 'react'
import { type CommentedEnvironment, useComment } from '../comments/use-comment.tsx'
import { Failure } from '../ui/failure.tsx'
import { Gated } from '../ui/gated.tsx'
import { TypedKey } from '../ui/typed-key.tsx'
import { useSubmit } from './use-submit.ts'

export interface Confirmation {
  readonly title: string
  /** The effects, and the people whom they reach. */
  readonly children: ReactNode
  /** The verb on the button: "Delete flag". */
  readonly confirmLabel: string
  /** The text that has to be typed first, such as a flag's key in Production. */
  readonly typed?: string
  /** `calm` for what can be taken back, yet should not happen by accident; `danger` by default. */
  readonly tone?: 'calm' | 'danger'
  /** The environment of a write that takes a comment. */
  readonly commentIn?: CommentedEnvironment | undefined
  /** May reject: the dialog shows why and stays. */
  readonly onConfirm: (comment: string | undefined) => Promise<unknown>
}

/** Asks before something is done that cannot be undone. */
export function confirm(confirmation: Confirmation): void {
  const id = modals.open({
    title: confirmation.title,
    children: <ConfirmForm {...confirmation} onClose={() => modals.close(id)} />,
  })
}

function ConfirmForm({
  children,
  confirmLabel,
  typed,
  tone = 'danger',
  commentIn,
  onConfirm,
  onClose,
}: Confirmation & { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const { comment, field, permission } = useComment(commentIn)
  const { formProps, failure, isBusy } = useSubmit([], async () => {
    await onConfirm(comment)
    onClose()
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <Text size="sm" component="div">
          {children}
        </Text>
        {typed !== undefined && <TypedKey expected={typed} value={text} onChange={setText} />}
        {commentIn && field}
        {failure !== null && <Failure error={failure} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Gated permission={permission}>
            <Button
              type="submit"
              {...(tone === 'danger' && { color: 'red' })}
              loading={isBusy}
              disabled={typed !== undefined && text !== typed}
            >
              {confirmLabel}
            </Button>
          </Gated>
        </Group>
      </Stack>
    </form>
  )
}
