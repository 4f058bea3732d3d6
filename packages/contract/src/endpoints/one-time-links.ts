import { endpoint } from '../endpoint.ts'
import { ANONYMOUS_BODY_MAX_BYTES } from '../limits.ts'
import {
  InvitationInput,
  LinkInput,
  LinkTarget,
  PasswordResetInput,
  RedeemInput,
  SentLink,
} from '../schemas/one-time-link.ts'
import { integerIdParams } from './params.ts'

const anonymous = { tag: 'User', access: 'public', bodyMaxBytes: ANONYMOUS_BODY_MAX_BYTES } as const
const FOREIGN_PAGE = 'The request comes from a page of another site'
const INVALID_LINK = 'The link is unknown, used, replaced or expired'

export const oneTimeLinkEndpoints = {
  inviteUser: endpoint({
    method: 'POST',
    path: '/api/users/invitations',
    summary: 'Create a user without a password, and a link with which they set one',
    description:
      'The link is valid for an hour and works once. It is sent by e-mail where SMTP_URL is set; otherwise, and when sending fails, only this response has it.',
    tag: 'User',
    access: 'workspace_admin',
    needsRecentLogin: true,
    body: InvitationInput,
    responses: { 200: SentLink },
    errors: [409],
    refusals: { 409: 'Another user has this e-mail address, ignoring case' },
  }),
  createUserLink: endpoint({
    method: 'POST',
    path: '/api/users/:id/link',
    summary: 'Create a link with which a user sets a new password',
    description:
      'It replaces an earlier link. The password stays valid until the link is used. Sent or shown like an invitation. A disabled user gets none (422).',
    tag: 'User',
    access: 'workspace_admin',
    needsRecentLogin: true,
    addresses: 'user',
    params: integerIdParams,
    responses: { 200: SentLink },
    errors: [422],
    refusals: { 422: 'The user is disabled' },
  }),
  readLink: endpoint({
    ...anonymous,
    method: 'POST',
    path: '/api/auth/links/read',
    summary: 'What is a one-time link for?',
    description: 'It uses nothing up. Ten unknown links a minute from one address are too many (429).',
    body: LinkInput,
    changesNothing: true,
    responses: { 200: LinkTarget },
    errors: [403, 404, 429],
    refusals: { 403: FOREIGN_PAGE, 404: INVALID_LINK },
  }),
  redeemLink: endpoint({
    ...anonymous,
    method: 'POST',
    path: '/api/auth/links/redeem',
    summary: 'Set a password with a one-time link',
    description:
      'The link works once. All sessions of the user end, and by default their personal access tokens. The user then signs in with the new password. A password that is refused does not use the link up.',
    body: RedeemInput,
    responses: { 204: null },
    errors: [403, 404, 429],
    refusals: { 403: FOREIGN_PAGE, 404: INVALID_LINK },
  }),
  requestPasswordReset: endpoint({
    ...anonymous,
    method: 'POST',
    path: '/api/auth/password-reset',
    summary: 'Send a link for a new password by e-mail',
    description:
      'The response is the same for unknown addresses and disabled users. An address on the network has 10 requests a minute (429); an account receives at most 3 e-mails an hour. Without SMTP_URL it is 404.',
    body: PasswordResetInput,
    responses: { 204: null },
    errors: [403, 404, 429],
    refusals: { 403: FOREIGN_PAGE, 404: 'Links are not sent by e-mail here: SMTP_URL is not set' },
  }),
} as const
