import { beforeAll, expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'
import { takePictures } from './harness/take-pictures.ts'

const server = serveDashboard()
const production = (rest: string) => `/api/environments/${server.environments.production}${rest}`

beforeAll(async () => {
  const flags = [
    { key: 'forgotten', is_enabled: true, rollout_percentage: 50 },
    { key: 'launched', is_enabled: true },
    { key: 'trial', is_enabled: true, rollout_percentage: 50 },
  ]
  await server.call('POST', production('/apply'), { flags })
  const evaluated_at = new Date().toISOString()
  await server.call('POST', production('/impressions'), [
    { flag_key: 'launched', user_id: 'u1', value: 'true', evaluated_at },
    { flag_key: 'trial', user_id: 'u1', value: 'true', evaluated_at },
    { flag_key: 'trial', user_id: 'u2', value: 'false', evaluated_at },
  ])
  await server.runSql('update flags set created_at = $1, updated_at = $1', ['2025-01-01T00:00:00Z'])
})

test('flags that no program evaluates are archived from the list of stale flags', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(`${server.url}/projects/${server.project_id}/stale`)
  const list = page.getByRole('list', { name: 'Stale flags' })
  await list.getByRole('link', { name: 'forgotten' }).waitFor()
  expect(await list.getByRole('link').allInnerTexts()).toEqual(['forgotten', 'launched'])
  await list.getByText('Replace it in code with true.').waitFor()
  await list.getByText('one value for everyone').waitFor()
  await page.getByText('Keep (1)').waitFor()
  await page.getByText('Evaluations as of').waitFor()
  await takePictures(page, 'stale')
  await page.getByText('Keep (1)').click()
  await page.getByText('There is no reason to remove it.').waitFor()
  expect(await page.getByRole('button', { name: /^Archive/ }).count()).toBe(0)
  await takePictures(page, 'stale-keep')
  await page.getByText(/^Remove/).click()
  const before = await page.locator('time').first().getAttribute('datetime')
  await page.getByRole('button', { name: 'Compute again' }).click()
  await page.waitForFunction(
    (old) => document.querySelector('time')?.getAttribute('datetime') !== old,
    before,
  )

  await page.getByRole('button', { name: 'Archive 1', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Archive 1 flag?' })
  await dialog.getByRole('button', { name: 'Archive 1 flag' }).click()
  await page.getByText('Archived 1 flag.').waitFor()
  await list.getByRole('link', { name: 'forgotten' }).waitFor({ state: 'detached' })
  const flag = await server.call('GET', production('/flags/forgotten'))
  expect(flag.archived_at).not.toBeNull()
})

test('one flag is shown in every environment, with the steps to remove it', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(`${server.url}/projects/${server.project_id}/flags/launched`)
  const places = page.getByRole('region', { name: 'Environments' })
  await places.getByText('1 evaluation in 7 days: true 100%').waitFor()
  expect(await places.getByText('Not created').count()).toBe(2)
  const steps = page.getByRole('list', { name: 'Steps' })
  await steps.getByText('Replace the flag "launched" by true in code.').waitFor()
  await server.call('PATCH', production('/flags/launched'), { rollout_percentage: 90 })
  await page.reload()
  const changes = page.getByRole('list', { name: 'Changes' }).getByRole('listitem')
  await changes.filter({ hasText: 'ada@example.com changed it in Production' }).getByText('rollout').waitFor()
  await changes.filter({ hasText: 'ada@example.com created it in Production' }).waitFor()
  for (let n = 0; n < 25; n += 1)
    await server.call('PATCH', production('/flags/launched'), { description: `text ${n}` })
  await page.reload()
  await changes.nth(19).waitFor()
  expect(await changes.count()).toBe(20)
  await page.getByRole('button', { name: 'Show more changes' }).click()
  await changes.filter({ hasText: 'ada@example.com created it in Production' }).waitFor()
  expect(await page.getByRole('button', { name: 'Show more changes' }).count()).toBe(0)
  await server.call('POST', `/api/environments/${server.environments.development}/flags`, {
    ...{ key: 'launched', is_enabled: true, tags: ['shop'] },
  })
  await server.call('PATCH', production('/flags/launched'), { managed_by: 'shop' })
  await page.reload()
  await places.getByText('Behaves differently').waitFor()
  await places.getByText('Managed by shop').waitFor()
  await takePictures(page, 'project-flag')
  await places.getByRole('button', { name: 'Actions in Production' }).click()
  await takePictures(page, 'project-flag-actions')
  await page.getByRole('menuitem', { name: 'Turn off…' }).click()
  const question = page.getByRole('dialog', { name: 'Turn off launched in Production?' })
  await question.getByRole('region', { name: 'Users who change' }).waitFor()
  await question.getByRole('button', { name: 'Turn off' }).click()
  await places.getByText('Off', { exact: true }).waitFor()
  await places.getByRole('link', { name: 'Production' }).click()
  await page.waitForURL(server.page('production', 'flags/launched'))
})
