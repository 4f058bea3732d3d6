import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from './harness/expect-accessible.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'
import { takePictures } from './harness/take-pictures.ts'

const server = serveDashboard()
const rule = (values: string[]) => ({ attribute: 'plan', operator: 'equals', values })

beforeAll(async () => {
  const put = (slug: string, body: object) =>
    server.call('POST', `/api/environments/${server.environments[slug]}/flags`, { is_enabled: true, ...body })
  const sorted = { key: 'sorted', rollout_percentage: 0 }
  await put('production', { ...sorted, rules: [rule(['pro', 'team'])] })
  await put('staging', { ...sorted, rules: [rule(['team', 'pro'])] })
  await put('production', { key: 'trial', rollout_percentage: 0 })
  await put('staging', { key: 'trial', rollout_percentage: 0, rules: [rule(['pro'])] })
})

test('drift is told apart by behaviour, and a note states which of it is meant', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(`${server.url}/projects/${server.project_id}/compare`)
  await page.getByRole('button', { name: /^sorted in Staging: .*differs: rules\. Show/ }).waitFor()
  await page.getByRole('checkbox', { name: 'Compare behavior' }).check()
  await page.getByRole('button', { name: /^sorted in Staging: .* · behaves the same\. Show/ }).click()
  const sorted = page.getByRole('dialog', { name: 'sorted' })
  await sorted.getByText('Every possible user gets the same in both: only the text differs.').waitFor()
  await page.keyboard.press('Escape')
  await sorted.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: /^trial in Staging/ }).click()
  const trial = page.getByRole('dialog', { name: 'trial' })
  await trial.getByText(/plan = .pro. gets .false. \(off\) in Production and .true. in Staging\./).waitFor()
  await trial.getByRole('button', { name: 'Add note' }).click()
  await trial.getByRole('button', { name: 'Save note' }).click()
  await trial.getByRole('textbox', { name: 'Why it differs' }).and(page.locator('[aria-invalid]')).waitFor()
  await trial.getByRole('textbox', { name: 'Why it differs' }).fill('The trial runs in staging')
  await trial.getByLabel('Until').fill('2999-03-31')
  await takePictures(page, 'drift-note')
  await trial.getByRole('button', { name: 'Save note' }).click()
  await trial.getByText('The trial runs in staging').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^trial in Staging: .* · meant to differ\. Show/ }).waitFor()
  await takePictures(page, 'drift')
  expect(await server.call('GET', `/api/projects/${server.project_id}/drift-notes`)).toMatchObject([
    { flag_key: 'trial', owner_email: 'ada@example.com', expires_at: '2999-03-31T00:00:00.000Z' },
  ])

  await page.getByRole('button', { name: /^trial in Staging/ }).click()
  await trial.getByRole('button', { name: 'Remove note' }).click()
  await trial.getByText('No note explains the difference.').waitFor()
  expect(await server.call('GET', `/api/projects/${server.project_id}/drift-notes`)).toEqual([])
})
