import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { hasStatus } from '../shared/api/api-error.ts'
import { endpointQuery } from '../shared/api/queries.ts'
import { findDefaultRoute } from './default-route.ts'
import { ENROLLMENT_PLACE, isEnrollmentPlace, mustEnroll } from './enrollment.ts'
import { Frame } from './frame/frame.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { prefetch } from './prefetch.ts'

/**
 * Every page of the dashboard. Its code is loaded when it is first opened. Chat alerts and webhooks link to
 * `/projects/<id>/environments/<id>/flags/<key>`: these addresses stay.
 */
const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: () => <NotFoundPage />,
})

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('../features/setup/setup-page.tsx'), 'SetupPage'),
})
const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: lazyRouteComponent(() => import('../features/auth/login-page.tsx'), 'LoginPage'),
})

const link = createRoute({
  getParentRoute: () => root,
  path: '/login/link',
  component: lazyRouteComponent(() => import('../features/auth/link-page.tsx'), 'LinkPage'),
})
const confirmed = createRoute({
  getParentRoute: () => root,
  path: '/login/confirmed',
  component: lazyRouteComponent(() => import('../features/auth/confirmed-page.tsx'), 'ConfirmedPage'),
})
const setPassword = createRoute({
  getParentRoute: () => root,
  path: '/set-password',
  component: lazyRouteComponent(() => import('../features/auth/set-password-page.tsx'), 'SetPasswordPage'),
})

/** Everything inside the frame needs a login. */
const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: Frame,
  beforeLoad: async ({ context: { client }, location }) => {
    prefetch(client, location.pathname)
    const me = await client.ensureQueryData(endpointQuery('getCurrentUser', {})).catch((error: unknown) => {
      if (!hasStatus(error, 401)) throw error
      throw redirect({ to: '/login', search: location.href === '/' ? {} : { next: location.href } })
    })
    if (mustEnroll(me) && !isEnrollmentPlace(location.pathname)) throw redirect(ENROLLMENT_PLACE)
  },
})
const home = createRoute({
  getParentRoute: () => frame,
  path: '/',
  beforeLoad: async ({ context: { client } }) => {
    throw redirect(await findDefaultRoute(client))
  },
})
const projects = createRoute({
  getParentRoute: () => frame,
  path: '/projects',
  component: lazyRouteComponent(() => import('../features/projects/projects-page.tsx'), 'ProjectsPage'),
})
const allChangeRequests = createRoute({
  getParentRoute: () => frame,
  path: '/change-requests',
  component: lazyRouteComponent(
    () => import('../features/change-requests/all-requests-page.tsx'),
    'AllRequestsPage',
  ),
})
const workspace = createRoute({
  getParentRoute: () => frame,
  path: '/workspace',
  component: lazyRouteComponent(() => import('../features/workspace/workspace-page.tsx'), 'WorkspacePage'),
})
const workspaceAudit = createRoute({
  getParentRoute: () => frame,
  path: '/workspace/audit',
  component: lazyRouteComponent(
    () => import('../features/audit/workspace-audit-page.tsx'),
    'WorkspaceAuditPage',
  ),
})
const account = createRoute({
  getParentRoute: () => frame,
  path: '/account',
  component: lazyRouteComponent(() => import('../features/account/account-page.tsx'), 'AccountPage'),
})

const project = createRoute({ getParentRoute: () => frame, path: '/projects/$project_id' })
const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: async ({ context: { client }, params: { project_id } }) => {
    throw redirect(await findDefaultRoute(client, project_id))
  },
})
const overview = createRoute({
  getParentRoute: () => project,
  path: '/overview',
  component: lazyRouteComponent(() => import('../features/overview/overview-page.tsx'), 'OverviewPage'),
})
const settings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  component: lazyRouteComponent(
    () => import('../features/project-settings/project-settings-page.tsx'),
    'ProjectSettingsPage',
  ),
})
const compare = createRoute({
  getParentRoute: () => project,
  path: '/compare',
  component: lazyRouteComponent(() => import('../features/compare/compare-page.tsx'), 'ComparePage'),
})

const incident = createRoute({
  getParentRoute: () => project,
  path: '/incident',
  component: lazyRouteComponent(() => import('../features/incident/incident-page.tsx'), 'IncidentPage'),
})
const stale = createRoute({
  getParentRoute: () => project,
  path: '/stale',
  component: lazyRouteComponent(() => import('../features/stale/stale-page.tsx'), 'StalePage'),
})
const projectFlag = createRoute({
  getParentRoute: () => project,
  path: '/flags/$flag_key',
  component: lazyRouteComponent(() => import('../features/stale/project-flag-page.tsx'), 'ProjectFlagPage'),
})

const importFlags = createRoute({
  getParentRoute: () => project,
  path: '/import',
  component: lazyRouteComponent(() => import('../features/import/import-page.tsx'), 'ImportPage'),
})

const environment = createRoute({
  getParentRoute: () => project,
  path: '/environments/$environment_id',
})
const flags = createRoute({
  getParentRoute: () => environment,
  path: '/flags',
  component: lazyRouteComponent(() => import('../features/flags/list/flags-page.tsx'), 'FlagsPage'),
})
const flag = createRoute({
  getParentRoute: () => environment,
  path: '/flags/$flag_key',
  component: lazyRouteComponent(() => import('../features/flags/flag-page.tsx'), 'FlagPage'),
})
const segments = createRoute({
  getParentRoute: () => environment,
  path: '/segments',
  component: lazyRouteComponent(() => import('../features/segments/segments-page.tsx'), 'SegmentsPage'),
})
const segment = createRoute({
  getParentRoute: () => environment,
  path: '/segments/$segment_key',
  component: lazyRouteComponent(() => import('../features/segments/segment-page.tsx'), 'SegmentPage'),
})
const evaluate = createRoute({
  getParentRoute: () => environment,
  path: '/evaluate',
  component: lazyRouteComponent(() => import('../features/evaluate/evaluate-page.tsx'), 'EvaluatePage'),
})
/** The page of a user: what they get now, what changed for them, and what they got at a past moment. */
const user = createRoute({
  getParentRoute: () => environment,
  path: '/users/$user_key',
  beforeLoad: ({ params: { environment_id, project_id, user_key } }) => {
    throw redirect({
      to: '/projects/$project_id/environments/$environment_id/evaluate',
      params: { environment_id, project_id },
      search: { user: user_key, window: '7d' },
    })
  },
})
const change_requests = createRoute({
  getParentRoute: () => environment,
  path: '/change-requests',
  component: lazyRouteComponent(
    () => import('../features/change-requests/change-requests-page.tsx'),
    'ChangeRequestsPage',
  ),
})
const scheduled_changes = createRoute({
  getParentRoute: () => environment,
  path: '/scheduled-changes',
  component: lazyRouteComponent(
    () => import('../features/scheduled-changes/scheduled-changes-page.tsx'),
    'ScheduledChangesPage',
  ),
})
const impressions = createRoute({
  getParentRoute: () => environment,
  path: '/impressions',
  component: lazyRouteComponent(
    () => import('../features/impressions/impressions-page.tsx'),
    'ImpressionsPage',
  ),
})
const exposure = createRoute({
  getParentRoute: () => environment,
  path: '/exposure',
  component: lazyRouteComponent(() => import('../features/exposure/exposure-page.tsx'), 'ExposurePage'),
})
const experiments = createRoute({
  getParentRoute: () => environment,
  path: '/experiments',
  component: lazyRouteComponent(
    () => import('../features/experiments/experiments-page.tsx'),
    'ExperimentsPage',
  ),
})
const experiment = createRoute({
  getParentRoute: () => environment,
  path: '/experiments/$experiment_key',
  component: lazyRouteComponent(
    () => import('../features/experiments/experiment-page.tsx'),
    'ExperimentPage',
  ),
})
const webhooks = createRoute({
  getParentRoute: () => environment,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('../features/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})
const integrations = createRoute({
  getParentRoute: () => environment,
  path: '/integrations',
  component: lazyRouteComponent(
    () => import('../features/integrations/integrations-page.tsx'),
    'IntegrationsPage',
  ),
})
const audit = createRoute({
  getParentRoute: () => environment,
  path: '/audit',
  component: lazyRouteComponent(() => import('../features/audit/audit-page.tsx'), 'AuditPage'),
})
const connect = createRoute({
  getParentRoute: () => environment,
  path: '/connect',
  component: lazyRouteComponent(() => import('../features/connect/connect-page.tsx'), 'ConnectPage'),
})

export const routeTree = root.addChildren([
  setup,
  login,
  link,
  confirmed,
  setPassword,
  frame.addChildren([
    home,
    projects,
    allChangeRequests,
    workspace,
    workspaceAudit,
    account,
    project.addChildren([
      projectHome,
      overview,
      settings,
      compare,
      incident,
      stale,
      projectFlag,
      importFlags,
      environment.addChildren([
        flags,
        flag,
        segments,
        segment,
        evaluate,
        user,
        change_requests,
        scheduled_changes,
        impressions,
        exposure,
        experiments,
        experiment,
        webhooks,
        integrations,
        audit,
        connect,
      ]),
    ]),
  ]),
])
