import { expect, test } from 'vitest'
import { putFlag } from '../harness/call-api.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()

const flagPath = (key: string) => `/api/environments/${server.environments.production}/flags/${key}`

async function makeHistory(key: string): Promise<void> {
  await putFlag(server.url, server.environments.production ?? '', { key, rollout_percentage: 5 })
  await server.call('PATCH', flagPath(key), { rollout_percentage: 25 })
  await server.call('PATCH', flagPath(key), { is_enabled: false, tags: ['late'] })
}

test('the history lists each change, and an earlier revision is restored after its diff was shown', async (context) => {
  await makeHistory('told')
  const { page } = await visit(context, server)

  await page.goto(`${server.page('production', 'flags/told')}?tab=history`)
  const entries = page.getByRole('list', { name: 'Changes, newest first' })
  await entries.getByText('Rollout 5% → 25%').waitFor()
  await entries.getByText('Switched off').waitFor()
  await entries.getByText('Created', { exact: true }).waitFor()
  await page
    .getByRole('button', { name: /^Restore revision/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Switched on').waitFor()
  await dialog.getByText('Tag late removed').waitFor()
  await dialog.getByRole('button', { name: /^Restore revision/ }).click()

  await page.getByText(/told is as it was at revision/).waitFor()
  expect(await server.call('GET', flagPath('told'))).toMatchObject({ is_enabled: true, tags: [] })
  await entries.getByText('restored an earlier revision').waitFor()

  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await entries.getByText('restored an earlier revision').nth(1).waitFor()
  expect(await server.call('GET', flagPath('told'))).toMatchObject({ is_enabled: false, tags: ['late'] })
})

test('any two revisions are compared, with their JSON side by side', async (context) => {
  await makeHistory('compared')
  const { page } = await visit(context, server)

  await page.goto(`${server.page('production', 'flags/compared')}?tab=history`)
  await page
    .getByRole('button', { name: /^Compare revision/ })
    .last()
    .click()
  const comparison = page.locator('[aria-live=polite]').filter({ hasText: 'Rollout 5% → 25%' })
  await comparison.getByText('Switched off').waitFor()
  await comparison.getByRole('button', { name: 'Show JSON' }).click()

  await comparison.getByRole('region', { name: 'JSON before and after' }).waitFor()
  await comparison.getByText('"rollout_percentage": 25').waitFor()
  expect(new URL(page.url()).searchParams.get('from')).not.toBeNull()
})

test('a restore of a flag that someone else has changed meanwhile is refused and shows the new difference', async (context) => {
  await makeHistory('raced')
  const { page } = await visit(context, server)
  await page.goto(`${server.page('production', 'flags/raced')}?tab=history`)
  await page
    .getByRole('button', { name: /^Restore revision/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Switched on').waitFor()
  // The stream would bring it before the click: here it comes too late.
  await page.route(
    '**/api/**/restore',
    async (route) => {
      await server.call('PATCH', flagPath('raced'), { rollout_percentage: 77 })
      await route.continue()
    },
    { times: 1 },
  )

  await dialog.getByRole('button', { name: /^Restore revision/ }).click()

  await dialog.getByText('The flag was not restored').waitFor()
  await dialog.getByText('Rollout 77% → 25%').waitFor()
  expect(await server.call('GET', flagPath('raced'))).toMatchObject({ rollout_percentage: 77 })
})
