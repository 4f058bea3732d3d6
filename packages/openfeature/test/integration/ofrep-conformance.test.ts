import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import type { Provider as WebProvider } from '@openfeature/web-sdk'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { conformanceFlags } from '../../../../e2e/harness/conformance-environment.ts'
import { startTestServer, type TestServer } from '../../../server/test/harness/start-test-server.ts'
import { createServerRunner, createWebRunner } from '../harness/in-process-runners.ts'
import { loadScenarios, type Scenario } from '../harness/load-scenarios.ts'
import { type Runner, runScenario } from '../harness/run-scenario.ts'
import { startProxy } from '../harness/unreachable-servers.ts'

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

interface Target {
  readonly url: string
  readonly sdkKey: string
}

const optionsOf = ({ url, sdkKey }: Target) => ({
  baseUrl: url,
  headers: [['X-API-Key', sdkKey]] as [string, string][],
})

/** The official OFREP providers, each with its OpenFeature SDK. Scenarios that do not apply are counted. */
const RUNNERS = [
  {
    name: 'OFREPProvider',
    create: (target: Target) => createServerRunner(target, (at) => new OFREPProvider(optionsOf(at))),
    reasonToSkip: reasonOfServer,
    skipped: { 'evaluation_v2.feature': 20 },
  },
  {
    name: 'OFREPWebProvider',
    create: (target: Target, scenario: Scenario) =>
      isOfCache(scenario)
        ? createReloadedRunner(target)
        : createWebRunner(target, (at) => createWebProvider(at, 'disabled')),
    reasonToSkip: reasonOfWeb,
    skipped: { 'evaluation_v2.feature': 5 },
  },
]

/** Creates a provider that notices by a poll when its server is gone: Node.js 20 has no `EventSource`. */
function createWebProvider(at: Target, cacheMode: 'disabled' | 'local-cache-first'): WebProvider {
  const pollInterval = at.url === server.url ? 0 : 50
  return new OFREPWebProvider({ ...optionsOf(at), cacheMode, pollInterval }) as WebProvider
}

/** Returns a runner like a page that is loaded again without its server, and starts from the last values. */
function createReloadedRunner(target: Target): Runner {
  const proxy = startProxy(target.url)
  const runner = proxy.then(({ url }) =>
    createWebRunner({ ...target, url }, (at) => createWebProvider(at, 'local-cache-first')),
  )
  let loaded: Runner | undefined
  const page = (): Runner => {
    if (!loaded) throw new Error('the page is not loaded yet')
    return loaded
  }
  return {
    async provide(state) {
      vi.stubGlobal('localStorage', createStorage())
      loaded = await runner
      await loaded.provide(state)
      await (await proxy).close()
      await loaded.provide(state)
    },
    evaluate: (evaluation) => page().evaluate(evaluation),
    status: () => page().status(),
    end: async () => (await runner).end(),
  }
}

/** Node.js 20 has no `localStorage`. */
function createStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const items = new Map<string, string>()
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  }
}

const isOfCache = ({ tags }: Scenario): boolean => tags.includes('@reason-codes-cached')

function reasonOfServer(scenario: Scenario): string | null {
  const { name, steps, tags } = scenario
  if (isOfCache(scenario)) return 'the provider has no cache to hit'
  if (tags.includes('@reason-codes-disabled') && !tags.includes('@booleans'))
    return 'the provider refuses a result without a value'
  const isStateless = name === 'Provider status accessibility' || /not ready|fatal/.test(name)
  if (isStateless && steps.some(({ text }) => /^a (not ready|error|fatal|stale) provider$/.test(text)))
    return 'the provider has no states: it is ready from the start'
  return null
}

function reasonOfWeb({ tags }: Scenario): string | null {
  return tags.includes('@async') ? 'the web SDK of OpenFeature is synchronous' : null
}

describe.each(RUNNERS)('$name', ({ create, reasonToSkip, skipped }) => {
  describe.each(SUITES)('%s', (file, count) => {
    const scenarios = loadScenarios(file)
    it(`has ${count} scenarios`, () => {
      expect(scenarios).toHaveLength(count)
      const without = scenarios.filter((scenario) => reasonToSkip(scenario) !== null)
      expect(without).toHaveLength(new Map(Object.entries(skipped)).get(file) ?? 0)
    })
    for (const [index, scenario] of scenarios.entries()) {
      it(`${index + 1}: ${scenario.name}`, async ({ skip }) => {
        const reason = reasonToSkip(scenario)
        if (reason !== null) skip(reason)
        const runner = create({ url: server.url, sdkKey: server.sdkKey }, scenario)
        try {
          await runScenario(runner, scenario)
        } finally {
          await runner.end()
        }
      })
    }
  })
})
