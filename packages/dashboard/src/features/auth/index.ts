export { ConfirmPasswordForm } from './confirm-password-form.tsx'
export { ConfirmWithProvider } from './confirm-with-provider.tsx'
export { LoginWays } from './login-ways.tsx'
