import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundleProgram } from './harness/bundle-program.ts'
import { createKeyFor, environmentOf, patchFlag, putFlag } from './harness/call-api.ts'
import { cloneDatabase } from './harness/clone-database.ts'
import { launchBrowser } from './harness/launch-browser.ts'
import { openStage, type Stage } from './harness/open-stage.ts'
import { runProcess } from './harness/run-process.ts'
import { servePage } from './harness/serve-page.ts'
import { SDK_KEY, startServer } from './harness/start-server.ts'
import { type ExampleChanges, writeExample } from './harness/write-example.ts'

const ADDRESS = 'https://flags.example.com'
const RESULT = /^result (.*)$/

test('the first example of each README does what it says', async (context) => {
  const browser = await launchBrowser(context)
  const stage = openStage()
  const server = await startServer(stage, { databaseUrl: await cloneDatabase() })
  const environment_id = await environmentOf(server.url)
  const forPro = { attribute: 'plan', operator: 'equals', values: ['pro'] }
  await putFlag(server.url, environment_id, { key: 'new-checkout', default_value: true })
  for (const key of ['button-color', 'theme']) {
    const rules = [{ ...forPro, variant: 'gold' }]
    await putFlag(server.url, environment_id, { key, flag_type: 'string', default_value: 'blue', rules })
  }
  const replaced = { [ADDRESS]: server.url }

  const ofEvaluation = await run(stage, 'evaluation', {
    replaced: { 'flags.evaluate(': 'const result = flags.evaluate(' },
    after: `console.log('result', JSON.stringify([result, flags.isEnabled('new-checkout', 'user-1')]))`,
  })
  expect(ofEvaluation).toEqual([
    { value: 'gold', enabled: true, reason: 'TARGETING_MATCH', rule_index: 0, variant: 'gold' },
    false,
  ])

  const ofSdk = await run(stage, 'sdk', {
    before: `const user = { id: 'anna', plan: 'pro' }
      const shown = []
      const showNewCheckout = () => shown.push('new')`,
    after: `console.log('result', JSON.stringify([shown, color, client.status.goals]))`,
    replaced,
  })
  expect(ofSdk).toEqual([['new'], 'gold', expect.objectContaining({ pending: 0, dropped: 0 })])

  const ofFlagsSdk = await run(stage, 'flags-sdk', {
    after: `const request = new Request('http://localhost/', { headers: { cookie: 'user=anna' } })
      console.log('result', JSON.stringify([await newCheckout(request), await theme(request)]))
      process.exit(0)`,
    replaced,
  })
  expect(ofFlagsSdk).toEqual([true, 'gold'])

  // In a page
  const { key } = await createKeyFor(server.url, 'production', 'client')
  const program = writeExample('react', { replaced: { ...replaced, sk_live_of_the_kind_client: key } })
  const page = await browser.newPage()
  const script = (await bundleProgram(stage, program)).replaceAll('</script', '<\\/script')
  await page.goto(
    await servePage(`<!doctype html><div id="root"></div><script type="module">${script}</script>`),
  )
  await page.locator('button', { hasText: 'Buy now' }).waitFor()
  await patchFlag(server.url, environment_id, 'new-checkout', { is_enabled: false })
  await page.locator('button', { hasText: 'Add to basket' }).waitFor()
})

/** Runs the example of a package as a program of Node. Returns the result that it prints. */
async function run(stage: Stage, name: string, changes: ExampleChanges): Promise<unknown> {
  const file = join(stage.folder(name), 'example.mjs')
  writeFileSync(file, await bundleProgram(stage, writeExample(name, changes), 'node'))
  const program = runProcess(stage, process.execPath, {
    args: [file],
    cwd: stage.folder(name),
    env: { BURGEE_SDK_KEY: SDK_KEY },
  })
  const line = await program.line(RESULT)
  expect(await program.exited).toBe(0)
  return JSON.parse(RESULT.exec(line)?.[1] ?? 'null')
}
