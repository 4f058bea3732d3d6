import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readStream } from '../packages/server/test/harness/read-stream.ts'
import { environmentOf, patchFlag, putFlag } from './harness/call-api.ts'
import { cloneDatabase } from './harness/clone-database.ts'
import { freePort } from './harness/free-port.ts'
import { openStage, type Stage } from './harness/open-stage.ts'
import { runProcess } from './harness/run-process.ts'
import { SDK_KEY, startServer } from './harness/start-server.ts'

const SHOP = fileURLToPath(new URL('../examples/shop/dist/main.js', import.meta.url))

test('an open page of the example shop changes when a flag is toggled, without a reload', async () => {
  const stage = openStage()
  const server = await startServer(stage, { databaseUrl: await cloneDatabase() })
  const environment_id = await environmentOf(server.url)
  await putFlag(server.url, environment_id, { key: 'new-checkout', is_enabled: false })
  await putFlag(server.url, environment_id, {
    key: 'free-shipping-threshold',
    flag_type: 'integer',
    default_value: 60,
    rules: [{ attribute: 'country', operator: 'equals', values: ['NO'], variant: 40 }],
  })
  const shop = await startShop(stage, server.url)

  // Given an open page
  const page = await readStream(`${shop.url}/events?user=anna&country=NO`)
  const shows = (text: string) => page.until(({ data }) => data.includes(text))
  await shows('Flags are live')
  await shows('Add to basket')
  await shows('Free shipping on this order')

  // When the flag is toggled
  await patchFlag(server.url, environment_id, 'new-checkout', { is_enabled: true })

  // Then the page has the new checkout, and so has one that is opened now
  await shows('Buy now')
  const visitor = await fetch(`${shop.url}/?user=anna&country=SE`)
  expect(await visitor.text()).toMatch(/add €11 more[\s\S]*Buy now/)
  page.close()
  expect(await shop.stop()).toBe(0)
})

test('the example shop uses its defaults without a server, and escapes names', async () => {
  const stage = openStage()
  const shop = await startShop(stage, `http://127.0.0.1:${await freePort()}`)
  const name = '<script>alert(1)</script>'
  const page = await (await fetch(`${shop.url}/?user=${encodeURIComponent(name)}`)).text()
  expect(page).toContain('Add to basket')
  expect(page).toContain('Last known flags')
  expect(page).not.toContain(name)
  expect(await shop.stop()).toBe(0)
})

async function startShop(stage: Stage, serverUrl: string) {
  const port = await freePort()
  const shop = runProcess(stage, process.execPath, {
    args: [SHOP],
    cwd: stage.folder('shop'),
    env: { PORT: String(port), BURGEE_URL: serverUrl, BURGEE_SDK_KEY: SDK_KEY },
  })
  await shop.line(/^The shop is open/)
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      shop.kill('SIGTERM')
      return shop.exited
    },
  }
}
