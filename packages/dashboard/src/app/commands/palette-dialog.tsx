import { type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import classes from './palette.module.css'

interface PaletteDialogProps {
  readonly label: string
  readonly onClose: () => void
  /** Holds one `input`, which takes the focus. */
  readonly children: ReactNode
}

/**
 * A modal dialog that has the focus in its field before the next key is pressed. The browser's own `dialog`
 * opens within one commit of React. A dialog with a portal and a transition takes several, and keys pressed
 * meanwhile would reach the page.
 */
export function PaletteDialog({ label, onClose, children }: PaletteDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    element?.querySelector('input')?.focus()
    // Gives the focus back to what had it.
    return () => element?.close()
  }, [])
  const closeOnBackdrop = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-modal="true"
      aria-label={label}
      onClick={closeOnBackdrop}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      {children}
    </dialog>
  )
}
