export { ConfirmPasswordForm } from './confirm-password-form.tsx'
export { LoginForm } from './login-form.tsx'
