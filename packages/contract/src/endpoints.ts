import { authEndpoints } from './endpoints/auth.ts'
import { flagEndpoints } from './endpoints/flags.ts'
import { environmentEndpoints, projectEndpoints } from './endpoints/projects.ts'
import { sdkKeyEndpoints } from './endpoints/sdk-keys.ts'
import { segmentEndpoints } from './endpoints/segments.ts'
import { setupEndpoints } from './endpoints/setup.ts'
import { streamEndpoints } from './endpoints/stream.ts'
import { systemEndpoints } from './endpoints/system.ts'

export {
  authEndpoints,
  environmentEndpoints,
  flagEndpoints,
  projectEndpoints,
  sdkKeyEndpoints,
  segmentEndpoints,
  setupEndpoints,
  streamEndpoints,
  systemEndpoints,
}

/** Every operation of the HTTP API, by name. */
export const endpoints = {
  ...systemEndpoints,
  ...setupEndpoints,
  ...authEndpoints,
  ...projectEndpoints,
  ...environmentEndpoints,
  ...sdkKeyEndpoints,
  ...flagEndpoints,
  ...segmentEndpoints,
  ...streamEndpoints,
} as const
