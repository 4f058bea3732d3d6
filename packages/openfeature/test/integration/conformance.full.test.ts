import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conformanceFlags } from '../../../../e2e/harness/conformance-environment.ts'
import { startTestServer, type TestServer } from '../../../server/test/harness/start-test-server.ts'
import { createServerRunner, createWebRunner } from '../harness/in-process-runners.ts'
import { loadScenarios, type Scenario } from '../harness/load-scenarios.ts'
import { runScenario } from '../harness/run-scenario.ts'

/** The official suites, with the number of scenarios that each has. */
const SUITES = [
  ['evaluation_v2.feature', 82],
  ['hooks.feature', 3],
  ['metadata.feature', 5],
] as const

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const path = `/api/environments/${server.environments.production}/flags`
  for (const body of conformanceFlags())
    expect(await server.call({ path, body })).toMatchObject({ status: 200 })
})
afterAll(() => server.close())

const RUNNERS = [
  { name: 'the server provider', create: createServerRunner, isWeb: false },
  { name: 'the web provider', create: createWebRunner, isWeb: true },
] as const

/** Returns the reason for which a scenario does not apply to a provider; null when it does. */
function reasonToSkip({ tags }: Scenario, isWeb: boolean): string | null {
  if (tags.includes('@reason-codes-cached'))
    return 'the provider has no cache: flags are evaluated in the process'
  if (isWeb && tags.includes('@async')) return 'the web SDK of OpenFeature is synchronous'
  return null
}

describe.each(RUNNERS)('$name', ({ create, isWeb }) => {
  describe.each(SUITES)('%s', (file, count) => {
    const scenarios = loadScenarios(file)
    it(`has ${count} scenarios`, () => expect(scenarios).toHaveLength(count))
    for (const [index, scenario] of scenarios.entries()) {
      it(`${index + 1}: ${scenario.name}`, async ({ skip }) => {
        const reason = reasonToSkip(scenario, isWeb)
        if (reason !== null) skip(reason)
        const runner = create({ url: server.url, sdkKey: server.sdkKey })
        try {
          await runScenario(runner, scenario)
        } finally {
          await runner.end()
        }
      })
    }
  })
})
