import type { JsonValue } from '@burgee/evaluation'
import { type JsonObject, objectOf, objectsOf } from '../reading.ts'
import { recognizeFiles } from '../recognition/recognize-files.ts'
import { collectUnleash } from '../systems/unleash/unleash-files.ts'
import type { EngineInput, EngineKind } from './engine.ts'

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
    const { features, segments } = contentFor(files, { environment, wanted })
    const unleash = new Unleash({
      ...{ appName: 'burgee', url: 'http://127.0.0.1:9/api/', refreshInterval: 0, disableMetrics: true },
      bootstrap: {
        data: features,
        segments,
      },
      storageProvider: { get: async () => undefined, set: async () => undefined },
      skipInstanceCountWarning: true,
    })
    unleash.on('error', () => undefined)
    // It is never ready without features.
    if (features.length > 0) await new Promise((resolve) => unleash.once('ready', resolve))
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

interface Content {
  readonly features: readonly JsonObject[]
  readonly segments: readonly JsonObject[]
}

/** The file itself where it is what SDKs receive. An export becomes that as the server makes it. */
function contentFor(
  files: EngineInput['files'],
  { environment, wanted }: Pick<EngineInput, 'environment' | 'wanted'>,
): Content {
  const recognized = recognizeFiles('unleash', files)
  const received = recognized.filter(({ kind }) => kind === 'client')
  const { environments, segments } = collectUnleash(files, wanted)
  const ofExport = environments.find((one) => one.environment === environment)?.features ?? []
  const features =
    received.length > 0
      ? received.flatMap(({ data }) => objectsOf(objectOf(data).features))
      : ofExport.map(({ dependencies, facts, isEnabled, name, strategies, variants }) => {
          return { ...facts, name, enabled: isEnabled, strategies, variants, dependencies }
        })
  return {
    features: features.filter(({ archived }) => archived !== true).map(withoutDisabled),
    segments: [...segments.values()],
  }
}

/** The server sends no disabled strategy, and a feature of which all are disabled as one that is off. */
function withoutDisabled(feature: JsonObject): JsonObject {
  const strategies = objectsOf(feature.strategies)
  const enabled = strategies.filter(({ disabled }) => disabled !== true)
  if (enabled.length === strategies.length) return feature
  return { ...feature, strategies: enabled, enabled: feature.enabled === true && enabled.length > 0 }
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
