import type { singleSignOnEndpoints } from '@burgee/contract'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { linkHandlers } from './link-handlers.ts'
import { loginHandlers } from './login-handlers.ts'
import { logoutHandlers } from './logout-handlers.ts'
import { settingsHandlers } from './settings-handlers.ts'
import type { SingleSignOnDeps } from './single-sign-on.ts'

export const singleSignOnHandlers = (
  deps: SingleSignOnDeps,
): EndpointHandlers<typeof singleSignOnEndpoints> => ({
  ...loginHandlers(deps),
  ...linkHandlers(deps),
  ...logoutHandlers(deps),
  ...settingsHandlers(deps),
})
