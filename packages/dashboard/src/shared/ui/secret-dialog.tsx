import { Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'

interface SecretDialogProps<T> {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** The title of the form: "Create SDK key". */
  readonly title: string
  /** The instruction above the secret: "Store the key now". */
  readonly secretTitle: string
  readonly form: (onCreated: (created: T) => void) => ReactNode
  readonly secret: (created: T, onDone: () => void) => ReactNode
}

/**
 * A dialog with first the form, then the secret of the created item, this once. It does not close by
 * accident meanwhile.
 */
export function SecretDialog<T>(props: SecretDialogProps<T>) {
  const { isOpen, onClose, title, secretTitle, form, secret } = props
  const [created, setCreated] = useState<T | null>(null)
  const has_secret = created !== null
  const done = () => {
    setCreated(null)
    onClose()
  }
  return (
    <Modal
      // A slow response may come when the form is closed already: its secret is seen now or never.
      opened={isOpen || has_secret}
      onClose={done}
      closeOnClickOutside={false}
      closeOnEscape={!has_secret}
      withCloseButton={!has_secret}
      title={has_secret ? secretTitle : title}
    >
      {has_secret ? secret(created, done) : form(setCreated)}
    </Modal>
  )
}
