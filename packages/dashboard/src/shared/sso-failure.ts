import type { SsoFailure } from '@burgee/contract'

/** Returns why a login at the identity provider failed, and what to do; null for an unknown reason. */
export function describeSsoFailure(reason: string | undefined, label: string): string | null {
  return reason !== undefined && Object.hasOwn(SENTENCES, reason)
    ? SENTENCES[reason as SsoFailure](label)
    : null
}

const SENTENCES: Readonly<Record<SsoFailure, (label: string) => string>> = {
  access_denied: (label) => `Signing in with ${label} was canceled or not permitted. Try again.`,
  account_disabled: () => 'Your account is disabled. A workspace admin can enable it.',
  address_unconfirmed: () =>
    'The e-mail address of your account was changed by provisioning (SCIM) and is not confirmed. Ask a workspace admin for a link with which you set a password, or to create your account again.',
  clock: (label) =>
    `The clocks of this server and of ${label} differ by more than a minute. Ask the operator of this server to set its clock.`,
  email_missing: (label) =>
    `${label} did not send your e-mail address. Ask an admin of ${label} to release it to Burgee.`,
  email_unverified: (label) =>
    `${label} does not confirm that your e-mail address is yours. Verify it there, or ask an admin of ${label} to do so.`,
  expired: () => 'Signing in took too long or was used already. Sign in again.',
  groups_missing: (label) =>
    `You are in more groups than ${label} sends. Ask an admin of ${label} to send only the groups that Burgee needs.`,
  invalid_response: (label) =>
    `The response of ${label} could not be trusted, so you are not signed in. Try again; if it stays, ask the operator of this server.`,
  misconfigured: (label) =>
    `${label} does not accept this server. Ask its operator to check the settings of single sign-on.`,
  no_account: (label) =>
    `You have no account here, and your groups at ${label} give you no access. Ask a workspace admin.`,
  no_session: () => 'Your session has ended meanwhile. Sign in, and try again.',
  other_account: (label) =>
    `This account and this account of ${label} are not linked with each other, but one of them is linked already. Unlink it on the page of its account first.`,
  other_email: (label) =>
    `${label} knows you with another e-mail address than this account has. They must be the same.`,
  provider_unavailable: (label) => `${label} cannot be reached right now. Try again in a moment.`,
  reauthentication_unconfirmed: (label) =>
    `${label} did not confirm that you have just signed in there. Sign out and in again.`,
  state_mismatch: () =>
    'This attempt to sign in did not begin in this browser, or another one has begun since. Sign in again.',
  too_many: () => 'There were too many attempts to sign in from your network. Try again in a minute.',
}
