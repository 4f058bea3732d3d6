import { expect, test } from 'vitest'
import { eventually } from '../packages/server/test/harness/eventually.ts'
import { bearer, createKeyFor, environmentOf, patchFlag, putFlag } from './harness/call-api.ts'
import { cloneDatabase } from './harness/clone-database.ts'
import { freePort } from './harness/free-port.ts'
import { openStage } from './harness/open-stage.ts'
import { startSdkClient } from './harness/start-sdk-client.ts'
import { startServer } from './harness/start-server.ts'

const NORWEGIAN = { attribute: 'country', operator: 'equals', values: ['NO'] }

test('a flag change is stored once, sent to every SDK of its environment, and evaluated there without the network', async () => {
  const stage = openStage()
  const options = { dataDir: stage.folder('data'), port: await freePort() }

  // Given a flag that was created over the API before a restart
  const first = await startServer(stage, options)
  const environment_id = await environmentOf(first.url)
  await putFlag(first.url, environment_id, { key: 'new-checkout', rollout_percentage: 0, rules: [NORWEGIAN] })
  expect(await first.stop()).toBe(0)
  const second = await startServer(stage, options)

  // When an SDK in another process connects
  const sdk = startSdkClient(stage, { url: second.url })
  await eventually(async () => (await sdk.status()).isReady)

  // Then it evaluates by itself what was stored
  expect(await sdk.evaluate('new-checkout', 'anna', { country: 'NO' })).toMatchObject({
    value: true,
    reason: 'TARGETING_MATCH',
    rule_index: 0,
  })
  expect(await sdk.evaluate('new-checkout', 'anna', { country: 'SE' })).toMatchObject({ value: false })

  // And it receives each change
  await patchFlag(second.url, environment_id, 'new-checkout', { rollout_percentage: 100 })
  await eventually(async () => (await sdk.evaluate('new-checkout', 'anna', { country: 'SE' })).value === true)
  await patchFlag(second.url, environment_id, 'new-checkout', { is_enabled: false })
  await eventually(
    async () => (await sdk.evaluate('new-checkout', 'anna', { country: 'NO' })).reason === 'DISABLED',
  )

  // And without the server the last known flags are still evaluated
  expect(await second.stop()).toBe(0)
  await eventually(async () => (await sdk.status()).state === 'waiting')
  expect(await sdk.evaluate('new-checkout', 'anna', { country: 'NO' })).toMatchObject({
    value: false,
    reason: 'DISABLED',
  })
})

test('the stream is scoped to the environment of the SDK key', async () => {
  const stage = openStage()
  const server = await startServer(stage, { databaseUrl: await cloneDatabase() })
  const staging = await createKeyFor(server.url, 'staging')
  const sdk = startSdkClient(stage, { url: server.url, sdkKey: staging.key })
  await eventually(async () => (await sdk.status()).isReady)

  // When a flag is written in Production, and then one in Staging
  await putFlag(server.url, await environmentOf(server.url), { key: 'only-in-production' })
  await putFlag(server.url, staging.environment_id, { key: 'only-in-staging' }, bearer(staging.key))

  // Then the later one arrives, and the earlier one never does
  await eventually(async () => (await sdk.evaluate('only-in-staging', 'anna')).value === true)
  expect(await sdk.evaluate('only-in-production', 'anna')).toMatchObject({ reason: 'FLAG_NOT_FOUND' })
})
