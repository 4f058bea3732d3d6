import { endpoint } from '../endpoint.ts'
import { ANONYMOUS_BODY_MAX_BYTES } from '../limits.ts'
import { NewTotp, RecoveryCodes, SecondFactors, TotpConfirmation } from '../schemas/second-factor.ts'
import { integerIdParams } from './params.ts'

const NOT_A_SESSION = 'The caller is not a session, or its login is not recent'

export const secondFactorEndpoints = {
  getSecondFactors: endpoint({
    method: 'GET',
    path: '/api/auth/factors',
    summary: "The second factors of the caller's account",
    description: 'Secrets and codes are shown only when they are created.',
    tag: 'Auth',
    access: 'account',
    isForEnrollment: true,
    responses: { 200: SecondFactors },
  }),
  startTotp: endpoint({
    method: 'POST',
    path: '/api/auth/factors/totp',
    summary: 'Create a secret for an authenticator app',
    description:
      'It has no effect until `POST /api/auth/factors/totp/confirm` confirms it with a code. A secret that was not confirmed is replaced.',
    tag: 'Auth',
    access: 'account',
    isForEnrollment: true,
    needsRecentLogin: true,
    responses: { 200: NewTotp },
    errors: [409],
    refusals: { 403: NOT_A_SESSION, 409: 'The account has an authenticator app: remove it first' },
  }),
  confirmTotp: endpoint({
    method: 'POST',
    path: '/api/auth/factors/totp/confirm',
    summary: 'Confirm the authenticator app with a code',
    description:
      'From now on the login asks for a second factor. With the first factor of an account, the response has ten recovery codes, which are shown once.',
    tag: 'Auth',
    access: 'account',
    isForEnrollment: true,
    needsRecentLogin: true,
    body: TotpConfirmation,
    bodyMaxBytes: ANONYMOUS_BODY_MAX_BYTES,
    responses: { 200: RecoveryCodes },
    errors: [409],
    refusals: {
      403: NOT_A_SESSION,
      409: 'There is no secret to confirm',
      422: 'The code is wrong, or was used before',
    },
  }),
  removeTotp: endpoint({
    method: 'DELETE',
    path: '/api/auth/factors/totp',
    summary: 'Remove the authenticator app',
    description:
      'Without another factor the recovery codes are deleted too. It has no effect when there is no app.',
    tag: 'Auth',
    access: 'account',
    needsRecentLogin: true,
    responses: { 204: null },
    errors: [409],
    refusals: { 403: NOT_A_SESSION, 409: 'The workspace requires a second factor, and this is the last one' },
  }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: '/api/auth/factors/recovery-codes',
    summary: 'Replace the recovery codes',
    description: 'The earlier ones end. The ten new ones are shown once.',
    tag: 'Auth',
    access: 'account',
    needsRecentLogin: true,
    responses: { 200: RecoveryCodes },
    errors: [409],
    refusals: { 403: NOT_A_SESSION, 409: 'The account has no second factor' },
  }),
  resetUserFactors: endpoint({
    method: 'DELETE',
    path: '/api/users/:id/factors',
    summary: "Remove all second factors of a user, such as after the loss of the user's phone",
    description:
      'The password alone signs the user in again, and their account shows that an admin did this. Where the workspace requires a second factor and the days of grace are over, the user can only add one.',
    tag: 'User',
    access: 'workspace_admin',
    needsRecentLogin: true,
    addresses: 'user',
    params: integerIdParams,
    responses: { 204: null },
    refusals: { 403: NOT_A_SESSION },
  }),
} as const
