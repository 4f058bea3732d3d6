import { expect, test } from 'vitest'
import { putFlag } from '../harness/call-api.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()

const flagPath = (slug: string, key: string) => `/api/environments/${server.environments[slug]}/flags/${key}`
const put = (slug: string, flag: object) =>
  server.call('POST', `/api/environments/${server.environments[slug]}/flags`, { is_enabled: true, ...flag })

test('promoting shows what changes there and copies the segment that the target lacks', async (context) => {
  await server.call('POST', `/api/environments/${server.environments.production}/segments`, {
    name: 'Beta',
    key: 'beta',
    rules: [{ attribute: 'plan', operator: 'equals', values: ['beta'] }],
  })
  await put('production', { key: 'carried', rules: [{ segment_key: 'beta' }], rollout_percentage: 30 })
  const { page } = await visit(context, server)

  await page.goto(server.page('production', 'flags/carried'))
  await page.getByRole('button', { name: 'Promote' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Staging' }).click()
  await dialog.getByText('Staging does not have this flag yet').waitFor()
  await dialog.getByText('Rollout 30%').waitFor()
  expect(await dialog.getByLabel(/Copy the segment that Staging lacks: beta/).isChecked()).toBe(true)
  await dialog.getByRole('button', { name: 'Promote to Staging' }).click()

  await page.getByText('carried is promoted to Staging').waitFor()
  expect(await server.call('GET', flagPath('staging', 'carried'))).toMatchObject({ rollout_percentage: 30 })
  const segments = await server.call('GET', `/api/environments/${server.environments.staging}/segments`)
  expect(segments).toMatchObject([{ key: 'beta' }])
})

test('the matrix shows drift, and promoting onto a flag of Production wants its key typed', async (context) => {
  await put('production', { key: 'drifted', rollout_percentage: 10 })
  await put('staging', { key: 'drifted', rollout_percentage: 60 })
  const { page } = await visit(context, server)

  await page.goto(`${server.url}/projects/${server.project_id}/compare`)
  await page.getByRole('button', { name: /^drifted in Staging: On, 60%; differs: rollout/ }).click()
  await page.getByText('Rollout 60% → 10%').waitFor()
  await page.getByRole('button', { name: 'Promote Staging to Production…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Promote drifted' })
  await dialog.getByText('Rollout 10% → 60%').waitFor()
  await dialog.getByText('Production is live').waitFor()
  const submit = dialog.getByRole('button', { name: 'Promote to Production' })
  expect(await submit.isDisabled()).toBe(true)
  await dialog.getByLabel('Type drifted to confirm').fill('drifted')
  await submit.click()
  await page.getByText('drifted is promoted to Production').waitFor()
  expect(await server.call('GET', flagPath('production', 'drifted'))).toMatchObject({
    rollout_percentage: 60,
  })

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: /^drifted in Staging/ }).waitFor()
  // The matrix may still show the drift of before the promotion.
  await expect
    .poll(() => server.call('GET', flagPath('production', 'drifted')))
    .toMatchObject({ rollout_percentage: 10 })
})

test('deleting shows what depends on the flag, and in Production its key has to be typed', async (context) => {
  await putFlag(server.url, server.environments.production ?? '', { key: 'doomed' })
  await put('production', { key: 'needs-doomed', prerequisites: [{ flag_key: 'doomed' }] })
  await server.call('POST', `/api/environments/${server.environments.production}/experiments`, {
    name: 'Of the doomed',
    key: 'of-doomed',
    flag_key: 'doomed',
    goal_event_key: 'bought',
  })
  await server.call('POST', `${flagPath('production', 'doomed')}/scheduled-changes`, {
    scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
    patch: { is_enabled: false },
  })
  const { page } = await visit(context, server)

  await page.goto(server.page('production', 'flags/doomed'))
  await page.getByRole('button', { name: 'More actions for this flag' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('link', { name: 'needs-doomed' }).waitFor()
  await dialog.getByRole('link', { name: 'Of the doomed' }).waitFor()
  await dialog.getByText(/The change scheduled for .* is removed/).waitFor()
  const submit = dialog.getByRole('button', { name: 'Delete flag' })
  expect(await submit.isDisabled()).toBe(true)
  await dialog.getByLabel('Type doomed to confirm').fill('doomed')
  await submit.click()

  await page.getByText('doomed is deleted from Production').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor()
  const flags = await server.call('GET', `/api/environments/${server.environments.production}/flags?q=doomed`)
  expect(flags).toMatchObject([{ key: 'needs-doomed' }])
})

test('archiving states what SDKs see, and is taken back by a click', async (context) => {
  await put('staging', { key: 'resting' })
  const { page } = await visit(context, server)

  await page.goto(server.page('staging', 'flags/resting'))
  await page.getByRole('button', { name: 'More actions for this flag' }).click()
  await page.getByRole('menuitem', { name: 'Archive…' }).click()
  await page.getByText(/treat it as a flag that does not exist/).waitFor()
  await page.getByRole('button', { name: 'Archive flag' }).click()
  await page.getByText('resting is archived').waitFor()
  expect(await server.call('GET', flagPath('staging', 'resting'))).toMatchObject({
    archived_at: expect.any(String),
  })

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect
    .poll(() => server.call('GET', flagPath('staging', 'resting')))
    .toMatchObject({ archived_at: null })
})
