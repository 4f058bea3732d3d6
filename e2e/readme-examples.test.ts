import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundleProgram } from './harness/bundle-program.ts'
import { callApi, createKeyFor, environmentOf, patchFlag, putFlag } from './harness/call-api.ts'
import { cloneDatabase } from './harness/clone-database.ts'
import { launchBrowser } from './harness/launch-browser.ts'
import { openStage, type Stage } from './harness/open-stage.ts'
import { runProcess } from './harness/run-process.ts'
import { servePage } from './harness/serve-page.ts'
import { SDK_KEY, startServer } from './harness/start-server.ts'
import { type ExampleChanges, readReadme, writeExample } from './harness/write-example.ts'

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
  await runPrograms(stage, server.url)

  const { key } = await createKeyFor(server.url, 'production', 'client')
  const page = await browser.newPage()
  const open = async (program: string) => {
    const script = (await bundleProgram(stage, program)).replaceAll('</script', '<\\/script')
    const html = `<!doctype html><div id="root"></div><script type="module">${script}</script>`
    await page.goto(await servePage(html))
  }
  await open(
    writeExample('devtools', {
      before: `import { createClient } from '@burgee/sdk'
        const client = createClient({ url: '${server.url}', sdkKey: '${key}' })
        await client.connect()
        ${USER}
        const attributes = { plan: user.plan }`,
    }),
  )
  await page.getByRole('button', { name: /^Flags/ }).click()
  await expect.poll(() => page.getByLabel('Value of theme').inputValue()).toBe('gold')

  await open(writeExample('react', { replaced: { [ADDRESS]: server.url, sk_live_of_the_kind_client: key } }))
  await page.locator('button', { hasText: 'Buy now' }).waitFor()
  await patchFlag(server.url, environment_id, 'new-checkout', { is_enabled: false })
  await page.locator('button', { hasText: 'Add to basket' }).waitFor()

  // The README of an internal package has no example. It names the description of the API.
  const [, path = ''] = /`(\/api\/[\w./-]+)` of a running server/.exec(readReadme('contract')) ?? []
  const description = await callApi(server.url, 'GET', path)
  expect(description).toMatchObject({ status: 200, body: { openapi: expect.stringMatching(/^3/) } })
})

const USER = "const user = { id: 'anna', plan: 'pro' }"

/** Runs the examples for Node. */
async function runPrograms(stage: Stage, url: string): Promise<void> {
  const replaced = { [ADDRESS]: url }
  const ofEvaluation = await run(stage, 'evaluation', {
    replaced: { 'flags.evaluate(': 'const result = flags.evaluate(' },
    after: `console.log('result', JSON.stringify([result, flags.isEnabled('new-checkout', 'user-1')]))`,
  })
  expect(ofEvaluation).toEqual([
    { value: 'gold', enabled: true, reason: 'TARGETING_MATCH', rule_index: 0, variant: 'gold' },
    false,
  ])

  const before = `${USER}
      const shown = []
      const showNewCheckout = () => shown.push('new')`
  const ofSdk = await run(stage, 'sdk', {
    before,
    after: `console.log('result', JSON.stringify([shown, color, client.status.goals]))`,
    replaced,
  })
  expect(ofSdk).toEqual([['new'], 'gold', expect.objectContaining({ pending: 0, dropped: 0 })])

  const ofOpenFeature = await run(stage, 'openfeature', {
    before,
    after: `console.log('result', JSON.stringify([shown, client.providerStatus]))
      await OpenFeature.close()`,
    replaced,
  })
  expect(ofOpenFeature).toEqual([['new'], 'READY'])

  const ofFlagsSdk = await run(stage, 'flags-sdk', {
    after: `const request = new Request('http://localhost/', { headers: { cookie: 'user=anna' } })
      console.log('result', JSON.stringify([await newCheckout(request), await theme(request)]))
      process.exit(0)`,
    replaced,
  })
  expect(ofFlagsSdk).toEqual([true, 'gold'])
}

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
