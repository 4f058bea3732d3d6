/**
 * Every page of the dashboard, for pictures and for tests of accessibility. `route` is the route's path in
 * `packages/dashboard/src/app/routes.tsx`; a test compares both lists.
 */
import { fileURLToPath } from 'node:url'

const PROJECT = '/projects/$project_id'
const ENVIRONMENT = `${PROJECT}/environments/$environment_id`

/** The ids of the demo, for routes with parameters. */
const PARAMS = {
  $flag_key: 'express-delivery',
  $segment_key: 'beta-testers',
  $experiment_key: 'banner-sales',
}

const of = (route) => (name, more) => ({ name, route, ...more })
const inProject = (path) => of(PROJECT + path)
const inEnvironment = (path) => of(ENVIRONMENT + path)
const staging = { environment: 'staging' }

export const PAGES = [
  of('/login')('login', { isSignedOut: true }),
  of('/login/link')('login-link', { isSignedOut: true }),
  of('/login/confirmed')('login-confirmed', { isSignedOut: true }),
  of('/set-password')('set-password', { isSignedOut: true }),
  of('/setup')('setup', { isSignedOut: true }),
  inEnvironment('/flags')('flags'),
  inEnvironment('/flags/$flag_key')('flag'),
  inEnvironment('/flags/$flag_key')('flag-json', { search: '?tab=json' }),
  inEnvironment('/flags/$flag_key')('flag-history', { search: '?tab=history' }),
  inEnvironment('/flags/$flag_key')('flag-schedule', { search: '?tab=schedule' }),
  inEnvironment('/flags/$flag_key')('review', { act: reviewChange }),
  inEnvironment('/flags')('palette', { act: searchEverything }),
  inEnvironment('/segments')('segments'),
  inEnvironment('/segments/$segment_key')('segment'),
  inEnvironment('/evaluate')('evaluate'),
  inEnvironment('/change-requests')('change-requests', staging),
  inEnvironment('/scheduled-changes')('scheduled-changes'),
  inEnvironment('/experiments')('experiments'),
  inEnvironment('/experiments/$experiment_key')('experiment'),
  inEnvironment('/impressions')('impressions'),
  inEnvironment('/impressions')('impressions-stream', { search: '?tab=stream' }),
  inEnvironment('/exposure')('exposure', { search: '?flag_key=banner-colour' }),
  inEnvironment('/audit')('audit'),
  inEnvironment('/webhooks')('webhooks'),
  inEnvironment('/integrations')('integrations'),
  inEnvironment('/connect')('connect'),
  inProject('/overview')('overview'),
  inProject('/compare')('compare'),
  inProject('/incident')('incident', { search: '?window=7d' }),
  inProject('/stale')('stale'),
  inProject('/stale')('stale-keep', { search: '?verdict=keep' }),
  inProject('/flags/$flag_key')('project-flag'),
  inProject('/import')('import', { search: '?system=launchdarkly' }),
  inProject('/import')('import-environments', { search: '?system=launchdarkly', act: chooseImportFiles }),
  inProject('/import')('import-review', { search: '?system=launchdarkly', act: previewImport }),
  inProject('/settings')('settings'),
  inProject('/settings')('settings-environments', { search: '?tab=environments' }),
  inProject('/settings')('settings-keys', { search: '?tab=keys' }),
  inProject('/settings')('settings-members', { search: '?tab=members' }),
  of('/projects')('projects'),
  of('/change-requests')('all-change-requests', { search: '?show=open' }),
  of('/workspace')('workspace'),
  of('/workspace/audit')('workspace-audit'),
  of('/workspace')('workspace-roles', { search: '?tab=roles' }),
  of('/workspace')('workspace-service-accounts', { search: '?tab=service-accounts' }),
  of('/account')('account'),
  of('/account')('account-sessions', { search: '?tab=sessions' }),
]

/** Shows the review of a change without saving it. */
async function reviewChange(page) {
  await page.getByLabel('Rollout percentage', { exact: true }).fill('75')
  await page.getByRole('button', { name: 'Review changes' }).click()
  await page.getByRole('dialog').waitFor()
}

async function searchEverything(page) {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('check')
  await page.getByRole('option').first().waitFor()
}

const IMPORT_SAMPLES = new URL('../../packages/importers/test/samples/launchdarkly/', import.meta.url)
const IMPORT_FILES = ['rest-flags.json', 'rest-segments.json'].map((name) =>
  fileURLToPath(new URL(name, IMPORT_SAMPLES)),
)

async function chooseImportFiles(page) {
  await page.locator('input[type="file"]').setInputFiles(IMPORT_FILES)
  await page.getByRole('button', { name: 'Read the files' }).click()
  await page.getByRole('button', { name: 'Preview the import' }).waitFor()
  await page.getByLabel('Import test into').selectOption({ label: 'Staging' })
}

/** Shows what an import would do, without saving it. */
async function previewImport(page) {
  await chooseImportFiles(page)
  await page.getByRole('button', { name: 'Preview the import' }).click()
  await page.getByRole('list', { name: 'Flags of the import' }).waitFor()
}

/** Returns the address of a page below the server's. `environments` are ids by slug. */
export function addressOf({ environment = 'production', route, search = '' }, { environments, project_id }) {
  const params = { ...PARAMS, $project_id: project_id, $environment_id: environments[environment] }
  return route.replace(/\$\w+/g, (name) => params[name]) + search
}

/** Opens a page of the list, and runs its `act` once it is loaded. */
export async function openPage(tab, address, { act }) {
  await tab.goto(address)
  await settle(tab)
  if (!act) return
  await act(tab)
  await settle(tab)
}

/** Waits until a page (of Playwright) shows its content instead of a loading state. */
async function settle(page) {
  await page.waitForFunction(
    () =>
      document.querySelector('h1') !== null &&
      document.querySelector('[aria-busy="true"], .mantine-Skeleton-root') === null,
  )
  await page.evaluate(async () => {
    await document.fonts.ready
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
}
