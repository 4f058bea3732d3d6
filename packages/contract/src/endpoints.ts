import { accessTokenEndpoints } from './endpoints/access-tokens.ts'
import { auditEndpoints } from './endpoints/audit.ts'
import { authEndpoints } from './endpoints/auth.ts'
import { changeRequestEndpoints } from './endpoints/change-requests.ts'
import { environmentEndpoints } from './endpoints/environments.ts'
import { flagEndpoints } from './endpoints/flags.ts'
import { memberEndpoints } from './endpoints/members.ts'
import { projectEndpoints } from './endpoints/projects.ts'
import { scheduledChangeEndpoints } from './endpoints/scheduled-changes.ts'
import { sdkKeyEndpoints } from './endpoints/sdk-keys.ts'
import { segmentEndpoints } from './endpoints/segments.ts'
import { setupEndpoints } from './endpoints/setup.ts'
import { streamEndpoints } from './endpoints/stream.ts'
import { systemEndpoints } from './endpoints/system.ts'
import { userEndpoints } from './endpoints/users.ts'

export {
  accessTokenEndpoints,
  auditEndpoints,
  authEndpoints,
  changeRequestEndpoints,
  environmentEndpoints,
  flagEndpoints,
  memberEndpoints,
  projectEndpoints,
  scheduledChangeEndpoints,
  sdkKeyEndpoints,
  segmentEndpoints,
  setupEndpoints,
  streamEndpoints,
  systemEndpoints,
  userEndpoints,
}

/** Every operation of the HTTP API, by name. */
export const endpoints = {
  ...systemEndpoints,
  ...setupEndpoints,
  ...authEndpoints,
  ...userEndpoints,
  ...accessTokenEndpoints,
  ...projectEndpoints,
  ...memberEndpoints,
  ...environmentEndpoints,
  ...sdkKeyEndpoints,
  ...flagEndpoints,
  ...segmentEndpoints,
  ...changeRequestEndpoints,
  ...scheduledChangeEndpoints,
  ...auditEndpoints,
  ...streamEndpoints,
} as const
