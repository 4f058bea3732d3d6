import { endpoint } from '../endpoint.ts'
import { CreatedScimToken, ScimSettings, ScimSettingsPatch } from '../schemas/scim.ts'

/** The settings of SCIM. Its own requests are below `/scim/v2`, in the form of RFC 7644. */
export const scimEndpoints = {
  getScimSettings: endpoint({
    method: 'GET',
    path: '/api/workspace/scim',
    summary: 'The state of SCIM',
    description:
      'With SCIM 2.0 (RFC 7643, RFC 7644) an identity provider creates, changes and disables accounts and sends groups, below `/scim/v2`. Its token is accepted there only, and nothing else is.',
    tag: 'Single sign-on',
    access: 'workspace_admin',
    responses: { 200: ScimSettings },
  }),
  updateScimSettings: endpoint({
    method: 'PATCH',
    path: '/api/workspace/scim',
    summary: 'Change which accounts SCIM takes over',
    description: 'Applies to users that the provider creates after the change.',
    tag: 'Single sign-on',
    access: 'workspace_admin',
    needsRecentLogin: true,
    body: ScimSettingsPatch,
    responses: { 200: ScimSettings },
  }),
  createScimToken: endpoint({
    method: 'POST',
    path: '/api/workspace/scim/token',
    summary: 'Create the token of SCIM',
    description: 'It replaces the previous token, which is refused from then on. The first one starts SCIM.',
    tag: 'Single sign-on',
    access: 'workspace_admin',
    needsRecentLogin: true,
    responses: { 200: CreatedScimToken },
  }),
  deleteScimToken: endpoint({
    method: 'DELETE',
    path: '/api/workspace/scim/token',
    summary: 'Remove the token of SCIM',
    description:
      'Stops SCIM: `/scim/v2` is 404. Accounts and groups stay as they are. It has no effect without a token.',
    tag: 'Single sign-on',
    access: 'workspace_admin',
    needsRecentLogin: true,
    responses: { 204: null },
  }),
} as const
