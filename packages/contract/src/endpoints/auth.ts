import { endpoint } from '../endpoint.ts'
import { ANONYMOUS_BODY_MAX_BYTES } from '../limits.ts'
import { Credentials, CurrentUser, Workspace } from '../schemas/workspace.ts'

export const authEndpoints = {
  login: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Sign in',
    description:
      'Five failures within ten minutes lock the account for fifteen: 429 with `retry_after_seconds`, the right password included. A failure answers 401 with `attempts_remaining`.',
    tag: 'Auth',
    access: 'public',
    body: Credentials,
    body_max_bytes: ANONYMOUS_BODY_MAX_BYTES,
    responses: { 200: CurrentUser },
    errors: [401, 429],
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'Sign out: ends this session and clears the cookie',
    tag: 'Auth',
    access: 'any_credential',
    responses: { 204: null },
  }),
  getCurrentUser: endpoint({
    method: 'GET',
    path: '/api/auth/me',
    summary: 'Who am I?',
    description: 'Answers sessions and personal access tokens. An SDK key is nobody: 401.',
    tag: 'Auth',
    access: 'any_credential',
    responses: { 200: CurrentUser },
  }),
  getWorkspace: endpoint({
    method: 'GET',
    path: '/api/auth/workspace',
    summary: "The workspace's name",
    tag: 'Auth',
    access: 'public',
    responses: { 200: Workspace },
  }),
} as const
