import { lazy } from 'react'

// Parts of logins that few need at once. They, and the library of passkeys, are no part of the entry.
export const SecondStepForm = lazy(async () => ({
  default: (await import('./second-step-form.tsx')).SecondStepForm,
}))
export const PasskeyLogin = lazy(async () => ({
  default: (await import('./passkey-login.tsx')).PasskeyLogin,
}))
export const ConfirmWithPasskey = lazy(async () => ({
  default: (await import('./confirm-with-passkey.tsx')).ConfirmWithPasskey,
}))
