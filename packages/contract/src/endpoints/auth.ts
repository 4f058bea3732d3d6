import { endpoint } from '../endpoint.ts'
import { ANONYMOUS_BODY_MAX_BYTES } from '../limits.ts'
import { OwnPatch, PasswordChange, Reauthentication } from '../schemas/user.ts'
import { Warned } from '../schemas/warning.ts'
import {
  Credentials,
  CurrentUser,
  Workspace,
  WorkspacePatch,
  WorkspaceSettings,
} from '../schemas/workspace.ts'

export const authEndpoints = {
  login: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Sign in',
    description:
      'Five failures within ten minutes lock the account for fifteen: the response is 429 with `retry_after_seconds`, also for the right password. A failure is 401 with `attempts_remaining`. A browser that signed in to the account before has a separate count (cookie `lg_device`), which failures elsewhere do not lock. Requests from pages of another site are refused (403).',
    tag: 'Auth',
    access: 'public',
    body: Credentials,
    bodyMaxBytes: ANONYMOUS_BODY_MAX_BYTES,
    responses: { 200: CurrentUser },
    errors: [401, 403, 429, 503],
    sends: ['Set-Cookie'],
    refusals: {
      401: 'Wrong e-mail or password; `attempts_remaining` is the number of attempts left',
      403: 'The request comes from a page of another site, or the account is disabled, which only the right password reveals',
      429: 'The account is locked for `retry_after_seconds`',
      503: 'Too many logins are being checked',
    },
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'Sign out: ends this session and clears the cookie',
    description: 'A bearer credential has no session: nothing ends, and the response is the same.',
    tag: 'Auth',
    access: 'any_credential',
    changesNothing: true,
    responses: { 204: null },
    sends: ['Set-Cookie', 'Clear-Site-Data'],
  }),
  getCurrentUser: endpoint({
    method: 'GET',
    path: '/api/auth/me',
    summary: 'Who am I?',
    description: 'For sessions and personal access tokens. SDK keys get 401.',
    tag: 'Auth',
    access: 'read_self',
    responses: { 200: CurrentUser },
    refusals: {
      401: 'No valid session or token',
    },
  }),
  updateCurrentUser: endpoint({
    method: 'PATCH',
    path: '/api/auth/me',
    summary: "Change one's own name",
    description:
      'The e-mail and the role are changed by workspace admins, the password at `/api/auth/password`.',
    tag: 'Auth',
    access: 'account',
    body: OwnPatch,
    ignores: ['email', 'role'],
    responses: { 200: Warned(CurrentUser) },
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/api/auth/password',
    summary: "Change the caller's password, and end the caller's other sessions",
    description:
      'A wrong current password is 403 and counts as a failed login, so five lock the account (429). Browsers that signed in before become unknown, except the calling one. One of the most common passwords gets a warning in `X-Warning-Codes`, and 422 under the policy `strict`.',
    tag: 'Auth',
    access: 'account',
    body: PasswordChange,
    responses: { 204: null },
    errors: [429],
    sends: ['Set-Cookie', 'X-Warning-Codes'],
    refusals: {
      403: 'The current password is wrong',
      429: 'The account is locked after five failures, for `retry_after_seconds`',
    },
  }),
  reauthenticate: endpoint({
    method: 'POST',
    path: '/api/auth/reauthenticate',
    summary: 'Confirm who one is, for what needs a recent login',
    description:
      'The session counts as authenticated now, and the cookie is replaced. A wrong password is 403 and counts as a failed login, so five lock the account (429). A personal access token is not a session, and gets 403.',
    tag: 'Auth',
    access: 'account',
    body: Reauthentication,
    bodyMaxBytes: ANONYMOUS_BODY_MAX_BYTES,
    responses: { 204: null },
    errors: [429],
    sends: ['Set-Cookie'],
    refusals: {
      403: 'The password is wrong, or the caller is not a session',
      429: 'The account is locked after five failures, for `retry_after_seconds`',
    },
  }),
  updateWorkspace: endpoint({
    method: 'PATCH',
    path: '/api/workspace',
    summary: "Change the workspace's settings",
    description: 'The name is shown in the dashboard and on the login page. Only the given fields change.',
    tag: 'Workspace',
    access: 'workspace_admin',
    needsRecentLogin: ['keys_may_manage'],
    body: WorkspacePatch,
    responses: { 200: WorkspaceSettings },
  }),
  getWorkspaceSettings: endpoint({
    method: 'GET',
    path: '/api/workspace',
    summary: "The workspace's settings",
    description: 'The name alone is public at `/api/auth/workspace`.',
    tag: 'Workspace',
    access: 'workspace_admin',
    responses: { 200: WorkspaceSettings },
  }),
  getWorkspace: endpoint({
    method: 'GET',
    path: '/api/auth/workspace',
    summary: "The workspace's name",
    description: 'Public: the login page shows it.',
    tag: 'Auth',
    access: 'public',
    responses: { 200: Workspace },
  }),
} as const
