import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { RETURN_TO_MAX_LENGTH } from '../limits.ts'
import { SignInOptions } from '../schemas/single-sign-on.ts'

const NOT_SET_UP = 'No identity provider is set up'

export const singleSignOnEndpoints = {
  getSignInOptions: endpoint({
    method: 'GET',
    path: '/api/auth/sso',
    summary: 'How people can sign in',
    description: 'Public: the login page shows it.',
    tag: 'Single sign-on',
    access: 'public',
    responses: { 200: SignInOptions },
  }),
  startSingleSignOn: endpoint({
    method: 'GET',
    path: '/api/auth/sso/start',
    summary: 'Begin a login at the identity provider',
    description:
      'For browsers: redirects to the provider and sets a cookie for ten minutes, without which the callback is refused. When the provider cannot be reached, it redirects to the login page with `sso_error`.',
    tag: 'Single sign-on',
    access: 'public',
    query: Type.Object({
      return_to: Type.Optional(
        Type.String({
          maxLength: RETURN_TO_MAX_LENGTH,
          description: 'The path to open afterwards. Anything but a path of this server counts as `/`',
        }),
      ),
    }),
    responses: { 303: null },
    errors: [404],
    sends: ['Location', 'Set-Cookie'],
    refusals: { 404: NOT_SET_UP },
  }),
  completeSingleSignOn: endpoint({
    method: 'GET',
    path: '/api/auth/sso/callback',
    summary: 'End a login at the identity provider',
    description:
      'The provider sends the browser here. A page that opens the address of `return_to` sets the session. Any failure redirects to the login page with `sso_error`.',
    tag: 'Single sign-on',
    access: 'public',
    responses: {
      200: Type.String({ examples: ['<!doctype html><title>Signed in</title>'] }),
      303: null,
    },
    errors: [404],
    produces: 'text/html',
    sends: ['Location', 'Set-Cookie'],
    refusals: { 404: NOT_SET_UP },
  }),
} as const
