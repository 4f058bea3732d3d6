import type { JsonValue } from '@burgee/evaluation'
import { collectUnleash } from '../systems/unleash/unleash-files.ts'
import type { EngineKind } from './engine.ts'

interface Unleash {
  on(event: 'error', listener: () => void): void
  once(event: 'ready', listener: (value?: unknown) => void): void
  isEnabled(name: string, context: object): boolean
  getVariant(name: string, context: object): Variant
  destroy(): void
}
interface Variant {
  readonly name: string
  readonly enabled: boolean
  readonly payload?: { readonly value: string }
}
interface UnleashModule {
  readonly Unleash: new (options: object) => Unleash
}

export const UNLEASH: EngineKind = {
  npmPackage: 'unleash-client',
  version: '6.12.1',
  start: async ({ environment, files, load, wanted }) => {
    const { Unleash } = (await load('unleash-client')) as UnleashModule
    const { environments, segments } = collectUnleash(files, wanted)
    const features = environments.find((one) => one.environment === environment)?.features ?? []
    const unleash = new Unleash({
      ...{ appName: 'burgee', url: 'http://127.0.0.1:9/api/', refreshInterval: 0, disableMetrics: true },
      bootstrap: {
        data: features.map(({ dependencies, facts, isEnabled, name, strategies, variants }) => {
          return { ...facts, name, enabled: isEnabled, strategies, variants, dependencies }
        }),
        segments: [...segments.values()],
      },
      storageProvider: { get: async () => undefined, set: async () => undefined },
      skipInstanceCountWarning: true,
    })
    unleash.on('error', () => undefined)
    await new Promise((resolve) => unleash.once('ready', resolve))
    const names = new Set(features.map(({ name }) => name))
    return {
      has: (key) => names.has(key),
      ask: (key, user, ours) => {
        const attributes = textsOf(user.attributes)
        const context = { userId: user.key, properties: attributes, ...attributes }
        const variant = unleash.getVariant(key, context)
        const text = variant.enabled ? (variant.payload?.value ?? variant.name) : null
        const value = typeof ours.value === 'boolean' ? null : ours.value
        return {
          theirs: [unleash.isEnabled(key, context), typed(text, value)],
          ours: [ours.enabled, value],
        }
      },
      close: () => unleash.destroy(),
    }
  },
}

/** Properties are texts there, and null is none. */
const textsOf = (attributes: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, String(value)]),
  )

/** Payloads are texts there. */
function typed(text: string | null, like: JsonValue): JsonValue {
  if (text === null || typeof like === 'string') return text
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}
