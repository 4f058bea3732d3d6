import { Button, Group, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { type ReactNode, useState } from 'react'
import { useSubmit } from '../forms/use-submit.ts'
import { Failure } from './failure.tsx'
import { TypedKey } from './typed-key.tsx'

interface Confirmation {
  readonly title: string
  /** What will happen, and to whom. */
  readonly children: ReactNode
  /** The verb on the button: "Delete flag". */
  readonly confirmLabel: string
  /** What has to be typed first, such as a flag's key in Production. */
  readonly typed?: string
  /** `calm` for what can be taken back, yet should not happen by accident; `danger` unless said otherwise. */
  readonly tone?: 'calm' | 'danger'
  /** May reject: the dialog shows why and stays. */
  readonly onConfirm: () => Promise<unknown>
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
  onConfirm,
  onClose,
}: Confirmation & { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const { formProps, failure, isBusy } = useSubmit([], async () => {
    await onConfirm()
    onClose()
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <Text size="sm" component="div">
          {children}
        </Text>
        {typed !== undefined && <TypedKey expected={typed} value={text} onChange={setText} />}
        {failure !== null && <Failure error={failure} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {tone === 'calm' ? 'Cancel' : 'Keep it'}
          </Button>
          <Button
            type="submit"
            {...(tone === 'danger' && { color: 'red' })}
            loading={isBusy}
            disabled={typed !== undefined && text !== typed}
          >
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
