export { IdentityConfirmation, LoginWays, preloadLoginWays } from './lazy-dialogs.ts'
