import { accessTokenEndpoints } from './endpoints/access-tokens.ts'
import { applyEndpoints } from './endpoints/apply.ts'
import { auditEndpoints } from './endpoints/audit.ts'
import { authEndpoints } from './endpoints/auth.ts'
import { changeRequestEndpoints } from './endpoints/change-requests.ts'
import { driftNoteEndpoints } from './endpoints/drift-notes.ts'
import { environmentEndpoints } from './endpoints/environments.ts'
import { evaluateEndpoints } from './endpoints/evaluate.ts'
import { exceededBoundEndpoints } from './endpoints/exceeded-bounds.ts'
import { experimentEndpoints } from './endpoints/experiments.ts'
import { flagEndpoints } from './endpoints/flags.ts'
import { goalEventEndpoints } from './endpoints/goal-events.ts'
import { importEndpoints } from './endpoints/import.ts'
import { impressionEndpoints } from './endpoints/impressions.ts'
import { incidentEndpoints } from './endpoints/incident.ts'
import { integrationEndpoints } from './endpoints/integrations.ts'
import { invariantEndpoints } from './endpoints/invariants.ts'
import { lifecycleEndpoints } from './endpoints/lifecycle.ts'
import { manifestEndpoints } from './endpoints/manifest.ts'
import { memberEndpoints } from './endpoints/members.ts'
import { ofrepEndpoints } from './endpoints/ofrep.ts'
import { oneTimeLinkEndpoints } from './endpoints/one-time-links.ts'
import { passkeyEndpoints } from './endpoints/passkeys.ts'
import { preferenceEndpoints } from './endpoints/preferences.ts'
import { projectEndpoints } from './endpoints/projects.ts'
import { propagationEndpoints } from './endpoints/propagation.ts'
import { reportEndpoints } from './endpoints/reports.ts'
import { revertEndpoints } from './endpoints/revert.ts'
import { roleEndpoints } from './endpoints/roles.ts'
import { scheduledChangeEndpoints } from './endpoints/scheduled-changes.ts'
import { scimEndpoints } from './endpoints/scim.ts'
import { sdkKeyEndpoints } from './endpoints/sdk-keys.ts'
import { secondFactorEndpoints } from './endpoints/second-factors.ts'
import { seenUserEndpoints } from './endpoints/seen-users.ts'
import { segmentEndpoints } from './endpoints/segments.ts'
import { serviceAccountEndpoints } from './endpoints/service-accounts.ts'
import { sessionEndpoints } from './endpoints/sessions.ts'
import { setupEndpoints } from './endpoints/setup.ts'
import { singleSignOnEndpoints } from './endpoints/single-sign-on.ts'
import { streamEndpoints } from './endpoints/stream.ts'
import { systemEndpoints } from './endpoints/system.ts'
import { unknownFlagEndpoints } from './endpoints/unknown-flags.ts'
import { userEndpoints } from './endpoints/users.ts'
import { webhookEndpoints } from './endpoints/webhooks.ts'

export {
  accessTokenEndpoints,
  applyEndpoints,
  auditEndpoints,
  authEndpoints,
  changeRequestEndpoints,
  driftNoteEndpoints,
  environmentEndpoints,
  evaluateEndpoints,
  exceededBoundEndpoints,
  experimentEndpoints,
  flagEndpoints,
  goalEventEndpoints,
  importEndpoints,
  impressionEndpoints,
  incidentEndpoints,
  integrationEndpoints,
  invariantEndpoints,
  lifecycleEndpoints,
  manifestEndpoints,
  memberEndpoints,
  ofrepEndpoints,
  oneTimeLinkEndpoints,
  passkeyEndpoints,
  preferenceEndpoints,
  projectEndpoints,
  propagationEndpoints,
  reportEndpoints,
  revertEndpoints,
  roleEndpoints,
  scheduledChangeEndpoints,
  scimEndpoints,
  sdkKeyEndpoints,
  secondFactorEndpoints,
  seenUserEndpoints,
  segmentEndpoints,
  serviceAccountEndpoints,
  sessionEndpoints,
  setupEndpoints,
  singleSignOnEndpoints,
  streamEndpoints,
  systemEndpoints,
  unknownFlagEndpoints,
  userEndpoints,
  webhookEndpoints,
}

/** Every operation of the HTTP API by its name. */
export const endpoints = {
  ...systemEndpoints,
  ...setupEndpoints,
  ...authEndpoints,
  ...singleSignOnEndpoints,
  ...scimEndpoints,
  ...sessionEndpoints,
  ...secondFactorEndpoints,
  ...passkeyEndpoints,
  ...userEndpoints,
  ...oneTimeLinkEndpoints,
  ...accessTokenEndpoints,
  ...serviceAccountEndpoints,
  ...projectEndpoints,
  ...memberEndpoints,
  ...roleEndpoints,
  ...preferenceEndpoints,
  ...environmentEndpoints,
  ...sdkKeyEndpoints,
  ...flagEndpoints,
  ...applyEndpoints,
  ...revertEndpoints,
  ...incidentEndpoints,
  ...evaluateEndpoints,
  ...importEndpoints,
  ...segmentEndpoints,
  ...changeRequestEndpoints,
  ...scheduledChangeEndpoints,
  ...experimentEndpoints,
  ...impressionEndpoints,
  ...goalEventEndpoints,
  ...reportEndpoints,
  ...seenUserEndpoints,
  ...unknownFlagEndpoints,
  ...propagationEndpoints,
  ...lifecycleEndpoints,
  ...driftNoteEndpoints,
  ...exceededBoundEndpoints,
  ...invariantEndpoints,
  ...auditEndpoints,
  ...webhookEndpoints,
  ...integrationEndpoints,
  ...streamEndpoints,
  ...ofrepEndpoints,
  ...manifestEndpoints,
} as const
