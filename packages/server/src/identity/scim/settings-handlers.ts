import type { scimEndpoints } from '@burgee/contract'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import {
  createToken,
  deleteToken,
  getSettings,
  type ScimSettingsDeps,
  updateSettings,
} from './change-settings.ts'

/** Handles the settings of SCIM, for workspace admins. */
export const scimSettingsHandlers = (deps: ScimSettingsDeps): EndpointHandlers<typeof scimEndpoints> => ({
  async getScimSettings() {
    return { status: 200, body: await getSettings(deps) }
  },
  async updateScimSettings({ actor, body }) {
    return { status: 200, body: await updateSettings(deps, actor, body) }
  },
  async createScimToken({ actor }) {
    return { status: 200, body: await createToken(deps, actor) }
  },
  async deleteScimToken({ actor }) {
    await deleteToken(deps, actor)
    return { status: 204, body: null }
  },
})
