import { Button, Group, Modal, Stack } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { TextRequest } from './text-request.ts'

/** Another dialog may be open: the one whose write was refused. */
const ABOVE_OTHER_DIALOGS = 900

interface TextRequestDialogProps<Cause> {
  /** The same object each time. */
  readonly of: TextRequest<Cause>
  /** Null, or a failure: the call gets no text, and shows the server's refusal. */
  readonly prepare: (cause: Cause) => TextRequestContent | null | Promise<TextRequestContent | null>
  readonly title: string
  readonly confirmLabel: string
  readonly color?: string
}

/** The content of the dialog for one cause. */
export interface TextRequestContent {
  readonly cause: ReactNode
  readonly field: (props: FieldProps) => ReactNode
}

interface FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

interface Waiting extends TextRequestContent {
  readonly resolve: (text: string | null) => void
}

/** Requests texts of writes that have no dialog of their own, one after the other. */
export function TextRequestDialog<Cause>({
  color,
  confirmLabel,
  of,
  prepare,
  title,
}: TextRequestDialogProps<Cause>) {
  const [waiting, setWaiting] = useState<readonly Waiting[]>([])
  const latest = useRef(prepare)
  useEffect(() => {
    latest.current = prepare
  })
  useEffect(
    () =>
      of.setDialog(async (cause) => {
        const content = await prepared(latest.current, cause)
        if (!content) return null
        return new Promise((resolve) => setWaiting((all) => [...all, { ...content, resolve }]))
      }),
    [of],
  )
  const [first] = waiting
  const close = (text: string | null) => {
    first?.resolve(text)
    setWaiting((all) => all.slice(1))
  }
  return (
    <Modal
      opened={first !== undefined}
      onClose={() => close(null)}
      title={title}
      zIndex={ABOVE_OTHER_DIALOGS}
    >
      {first && <TextForm {...first} confirmLabel={confirmLabel} color={color} onClose={close} />}
    </Modal>
  )
}

async function prepared<Cause>(
  prepare: TextRequestDialogProps<Cause>['prepare'],
  cause: Cause,
): Promise<TextRequestContent | null> {
  try {
    return await prepare(cause)
  } catch {
    return null
  }
}

interface TextFormProps extends TextRequestContent {
  readonly confirmLabel: string
  readonly color: string | undefined
  readonly onClose: (text: string | null) => void
}

function TextForm({ cause, color, confirmLabel, field, onClose }: TextFormProps) {
  const [value, setValue] = useState('')
  const text = value.trim()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (text !== '') onClose(text)
      }}
    >
      <Stack gap="md">
        {cause}
        {field({ value, onChange: setValue })}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => onClose(null)}>
            Cancel
          </Button>
          <Button type="submit" {...(color && { color })} disabled={text === ''}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
