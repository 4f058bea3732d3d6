import { OpenFeature as ServerApi, type Provider as ServerProvider } from '@openfeature/server-sdk'
import { OpenFeature as WebApi, type Provider as WebProvider } from '@openfeature/web-sdk'
import { eventually } from '../../../server/test/harness/eventually.ts'
import { BurgeeProvider } from '../../src/server.ts'
import { BurgeeWebProvider } from '../../src/web.ts'
import type { Evaluation, ProviderState, Runner } from './run-scenario.ts'
import { type Address, startProxy, startSilentServer } from './unreachable-servers.ts'

interface Target {
  readonly url: string
  readonly sdkKey: string
  /** The time in milliseconds to wait for the flags. */
  readonly timeoutMs?: number
}

/** Creates a provider, so that other providers can be brought into the same states. */
type Create<Provider> = (target: Target) => Provider

/** Returns a runner for the server SDK of OpenFeature. */
export function createServerRunner(
  target: Target,
  create: Create<ServerProvider> = (at) =>
    new BurgeeProvider({ ...at, impressions: 'off' }, { initializeTimeoutMs: at.timeoutMs ?? 30_000 }),
): Runner {
  const domain = nextDomain()
  const client = ServerApi.getClient(domain)
  return {
    ...lifecycle(target, {
      install: (at) => ServerApi.setProviderAndWait(domain, create(at)),
      begin: (at) => void ServerApi.setProvider(domain, create(at)),
      status: () => client.providerStatus,
      remove: () => ServerApi.clearProviders(),
    }),
    evaluate({ context, fallback, hooks, key, type }: Evaluation) {
      const options = { hooks: hooks as never }
      if (type === 'boolean') return client.getBooleanDetails(key, fallback as boolean, context, options)
      if (type === 'string') return client.getStringDetails(key, fallback as string, context, options)
      if (type === 'number') return client.getNumberDetails(key, fallback as number, context, options)
      return client.getObjectDetails(key, fallback, context, options)
    },
  }
}

/** Returns a runner for the web SDK of OpenFeature, whose context is set before an evaluation. */
export function createWebRunner(
  target: Target,
  create: Create<WebProvider> = (at) =>
    new BurgeeWebProvider({ ...at, impressions: 'off' }, { initializeTimeoutMs: at.timeoutMs ?? 30_000 }),
): Runner {
  const domain = nextDomain()
  const client = WebApi.getClient(domain)
  return {
    ...lifecycle(target, {
      install: (at) => WebApi.setProviderAndWait(domain, create(at)),
      begin: (at) => WebApi.setProvider(domain, create(at)),
      status: () => client.providerStatus,
      remove: () => WebApi.clearProviders(),
    }),
    async evaluate({ context, fallback, hooks, key, type }: Evaluation) {
      if (client.providerStatus === 'READY') await WebApi.setContext(domain, context as never)
      const options = { hooks: hooks as never }
      if (type === 'boolean') return client.getBooleanDetails(key, fallback as boolean, options)
      if (type === 'string') return client.getStringDetails(key, fallback as string, options)
      if (type === 'number') return client.getNumberDetails(key, fallback as number, options)
      return client.getObjectDetails(key, fallback, options)
    },
  }
}

let domains = 0
const nextDomain = () => {
  domains += 1
  return `domain-${domains}`
}

interface Api {
  install(at: Target): Promise<void>
  begin(at: Target): void
  status(): string
  remove(): Promise<void>
}

/** Brings a provider into each state by what happens to its server. */
function lifecycle(target: Target, { begin, install, remove, status }: Api): Omit<Runner, 'evaluate'> {
  const addresses: Address[] = []
  const open = async (address: Promise<Address>) => {
    const opened = await address
    addresses.push(opened)
    return opened
  }
  const states: Record<ProviderState, () => Promise<void>> = {
    stable: () => install(target),
    'not ready': async () => begin({ ...target, url: (await open(startSilentServer())).url }),
    fatal: () => install({ ...target, sdkKey: 'no-key' }).catch(() => {}),
    async error() {
      const closed = await startSilentServer()
      await closed.close()
      // No patience helps where nothing listens.
      await install({ ...target, url: closed.url, timeoutMs: 100 }).catch(() => {})
    },
    async stale() {
      const proxy = await startProxy(target.url)
      await install({ ...target, url: proxy.url })
      await proxy.close()
      await eventually(() => status() === 'STALE')
    },
  }
  return {
    status,
    async provide(state) {
      await states[state]()
    },
    async end() {
      for (const address of addresses.splice(0)) await address.close()
      await remove()
    },
  }
}
