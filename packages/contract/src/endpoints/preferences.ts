import { endpoint } from '../endpoint.ts'
import { Preferences, PreferencesPatch } from '../schemas/preferences.ts'
import { projectParams } from './params.ts'

export const preferenceEndpoints = {
  getPreferences: endpoint({
    method: 'GET',
    path: '/api/projects/:project_id/preferences',
    summary: "The caller's own favorite flags, saved filters and order of environments",
    description: 'Everything is empty at first. No other user sees them, and SDK keys have none (403).',
    tag: 'Preference',
    access: 'read_project_flags',
    params: projectParams,
    responses: { 200: Preferences },
  }),
  updatePreferences: endpoint({
    method: 'PATCH',
    path: '/api/projects/:project_id/preferences',
    summary: "Change the caller's own preferences",
    description:
      'A JSON merge patch: entries that are not named stay, null removes one, and the order is replaced as a whole. The response has all preferences. The audit log has no entry of it.',
    tag: 'Preference',
    access: 'read_project_flags',
    params: projectParams,
    body: PreferencesPatch,
    responses: { 200: Preferences },
    refusals: {
      422: 'The input is invalid, or there would be too many entries',
    },
  }),
} as const
