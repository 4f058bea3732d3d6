/** Resolves with true once the person has confirmed who they are, with false when they do not. */
type ConfirmIdentity = () => Promise<boolean>

let dialog: ConfirmIdentity | null = null
let pending: Promise<boolean> | null = null

/** Sets the dialog that requests the confirmation. Returns the function that removes it. */
export function setIdentityDialog(ask: ConfirmIdentity): () => void {
  dialog = ask
  return () => {
    if (dialog === ask) dialog = null
  }
}

/** Asks the person to confirm who they are. Concurrent calls share one dialog and its result. */
export function confirmIdentity(): Promise<boolean> {
  if (dialog === null) return Promise.resolve(false)
  pending ??= dialog().finally(() => {
    pending = null
  })
  return pending
}
