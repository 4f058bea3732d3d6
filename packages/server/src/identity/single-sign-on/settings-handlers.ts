import type { singleSignOnEndpoints } from '@burgee/contract'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { createGroupMapping, deleteGroupMapping, listMappingRows } from '../group-roles/index.ts'
import { backchannelLogoutUri, postLogoutRedirectUri, redirectUri } from '../oidc/index.ts'
import type { SingleSignOnDeps } from './single-sign-on.ts'

type SettingsHandlers = Pick<
  EndpointHandlers<typeof singleSignOnEndpoints>,
  'getSingleSignOnSettings' | 'listGroupMappings' | 'createGroupMapping' | 'deleteGroupMapping'
>

/** Handles the settings of single sign-on and the table of groups, for workspace admins. */
export function settingsHandlers(deps: SingleSignOnDeps): SettingsHandlers {
  const { db, hasPasswordLogin, singleSignOn } = deps
  const config = singleSignOn?.config ?? null
  return {
    async getSingleSignOnSettings() {
      return {
        status: 200,
        body: {
          label: config?.label ?? null,
          issuer: config?.issuer ?? null,
          client_id: config?.clientId ?? null,
          scopes: config?.scopes ?? '',
          groups_claim: config?.groupsClaim ?? '',
          password_login: hasPasswordLogin,
          redirect_uri: config && redirectUri(config),
          post_logout_redirect_uri: config && postLogoutRedirectUri(config),
          backchannel_logout_uri: config && backchannelLogoutUri(config),
        },
      }
    },
    async listGroupMappings() {
      return { status: 200, body: await listMappingRows(db) }
    },
    async createGroupMapping({ actor, body }) {
      return { status: 200, body: await createGroupMapping(deps, actor, body) }
    },
    async deleteGroupMapping({ actor, params }) {
      await deleteGroupMapping(deps, actor, params.id)
      return { status: 204, body: null }
    },
  }
}
