export { ConfirmPasswordForm } from './confirm-password-form.tsx'
export { ConfirmWithProvider } from './confirm-with-provider.tsx'
export { ConfirmWithPasskey } from './lazy-parts.ts'
export { LoginWays } from './login-ways.tsx'
