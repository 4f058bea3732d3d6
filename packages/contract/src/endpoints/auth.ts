import { endpoint } from '../endpoint.ts'
import { ANONYMOUS_BODY_MAX_BYTES } from '../limits.ts'
import { PasswordChange } from '../schemas/user.ts'
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
      'Five failures within ten minutes lock the account for fifteen: 429 with `retry_after_seconds`, the right password included. A failure answers 401 with `attempts_remaining`. A browser that signed in to the account before keeps a count of its own (cookie `lg_device`), which the failures of others do not lock. A page of another site cannot sign anybody in (403).',
    tag: 'Auth',
    access: 'public',
    body: Credentials,
    bodyMaxBytes: ANONYMOUS_BODY_MAX_BYTES,
    responses: { 200: CurrentUser },
    errors: [401, 403, 429, 503],
    sends: ['Set-Cookie'],
    refusals: {
      401: 'Wrong e-mail or password; `attempts_remaining` says how many more may fail',
      403: 'The request comes from a page of another site',
      429: 'The account is locked; `retry_after_seconds` says how long',
      503: 'Too many logins are being checked',
    },
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'Sign out: ends this session and clears the cookie',
    description: 'A bearer credential has no session: nothing ends, and the answer is the same.',
    tag: 'Auth',
    access: 'any_credential',
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
  changePassword: endpoint({
    method: 'POST',
    path: '/api/auth/password',
    summary: "Change one's own password; ends one's other sessions",
    description:
      'A wrong current password answers 403 and counts like a failed login, so five lock the account (429). Browsers that signed in before are no longer known, but for the one that asks. One of the most common passwords is named in `X-Warning-Codes`, and 422 under the policy `strict`.',
    tag: 'Auth',
    access: 'account',
    body: PasswordChange,
    responses: { 204: null },
    errors: [429],
    sends: ['Set-Cookie', 'X-Warning-Codes'],
    refusals: {
      403: 'The current password is wrong',
      429: 'The account is locked after five failures; `retry_after_seconds` says how long',
    },
  }),
  updateWorkspace: endpoint({
    method: 'PATCH',
    path: '/api/workspace',
    summary: "Change the workspace's settings",
    description:
      'The name is what people see at the top of the dashboard and before they sign in. Only given fields change.',
    tag: 'Workspace',
    access: 'workspace_admin',
    body: WorkspacePatch,
    responses: { 200: WorkspaceSettings },
  }),
  getWorkspaceSettings: endpoint({
    method: 'GET',
    path: '/api/workspace',
    summary: "The workspace's settings",
    description: 'The name alone is open to anyone at `/api/auth/workspace`.',
    tag: 'Workspace',
    access: 'workspace_admin',
    responses: { 200: WorkspaceSettings },
  }),
  getWorkspace: endpoint({
    method: 'GET',
    path: '/api/auth/workspace',
    summary: "The workspace's name",
    description: 'Open to anyone: the login page shows it.',
    tag: 'Auth',
    access: 'public',
    responses: { 200: Workspace },
  }),
} as const
