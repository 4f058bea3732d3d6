import { lazy } from 'react'

// What the dialogs of the whole application show. Few people meet them, so they are no part of the entry.
const loadLoginWays = async () => ({ default: (await import('./login-ways.tsx')).LoginWays })
export const LoginWays = lazy(loadLoginWays)

/** Loads the login for the dialog that opens when a session ends: the server may have other files by then. */
export function preloadLoginWays(): void {
  // A failure is repeated, and shown, when the dialog opens.
  loadLoginWays().catch(() => undefined)
}

export const IdentityConfirmation = lazy(async () => ({
  default: (await import('./identity-confirmation.tsx')).IdentityConfirmation,
}))
