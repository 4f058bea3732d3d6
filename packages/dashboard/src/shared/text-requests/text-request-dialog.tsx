import { Button, Group, Modal, Stack } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { TextRequest } from './text-request.ts'

/** Another dialog may be open: the one whose write was refused. */
const ABOVE_OTHER_DIALOGS = 900

interface TextRequestDialogProps<Cause> {
  /** The same object each time. */
  readonly of: TextRequest<Cause>
  /** False: the call gets no text, and shows the server's refusal. */
  readonly accepts?: (cause: Cause) => boolean
  readonly title: string
  readonly confirmLabel: string
  readonly color?: string
  readonly showCause: (cause: Cause) => ReactNode
  readonly field: (props: FieldProps) => ReactNode
}

interface FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

interface Waiting<Cause> {
  readonly cause: Cause
  readonly resolve: (text: string | null) => void
}

/** Requests texts of writes that have no dialog of their own, one after the other. */
export function TextRequestDialog<Cause>(props: TextRequestDialogProps<Cause>) {
  const { accepts, of, title } = props
  const [waiting, setWaiting] = useState<readonly Waiting<Cause>[]>([])
  const latest = useRef(accepts)
  useEffect(() => {
    latest.current = accepts
  })
  useEffect(
    () =>
      of.setDialog((cause) =>
        latest.current?.(cause) === false
          ? Promise.resolve(null)
          : new Promise((resolve) => setWaiting((all) => [...all, { cause, resolve }])),
      ),
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
      {first && <TextForm {...props} cause={first.cause} onClose={close} />}
    </Modal>
  )
}

interface TextFormProps<Cause> extends TextRequestDialogProps<Cause> {
  readonly cause: Cause
  readonly onClose: (text: string | null) => void
}

function TextForm<Cause>({ cause, color, confirmLabel, field, onClose, showCause }: TextFormProps<Cause>) {
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
        {showCause(cause)}
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
