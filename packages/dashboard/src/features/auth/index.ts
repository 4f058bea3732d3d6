export { ConfirmPasswordForm } from './confirm-password-form.tsx'
export { LoginWays } from './login-ways.tsx'
