import type { JsonValue } from '@burgee/evaluation'
import { collectFeatures } from '../systems/growthbook/gb-files.ts'
import { type EngineKind, nest } from './engine.ts'

interface GrowthBookClient {
  initSync(options: object): GrowthBookClient
  evalFeature(key: string, context: object): { readonly value: JsonValue }
  destroy(): void
}
interface GrowthBookModule {
  readonly GrowthBookClient: new () => GrowthBookClient
}

export const GROWTHBOOK: EngineKind = {
  npmPackage: '@growthbook/growthbook',
  version: '1.8.0',
  start: async ({ environment, files, load, wanted }) => {
    const { GrowthBookClient } = (await load('@growthbook/growthbook')) as GrowthBookModule
    const { environments, savedGroups } = collectFeatures(files, wanted)
    // A feature that is off is not among those that SDKs receive: the code decides there.
    const on = (environments.get(environment) ?? []).filter(({ isEnabled }) => isEnabled)
    const features = Object.fromEntries(on.map(({ feature, key }) => [key, feature]))
    const client = new GrowthBookClient().initSync({ payload: { features, savedGroups } })
    return {
      has: (key) => Object.hasOwn(features, key),
      ask: (key, user, { reason, value }) => {
        const attributes = { ...nest(user.attributes), id: user.key }
        const theirs = client.evalFeature(key, { attributes }).value
        // A boolean flag of Burgee gives false where another flag holds it back, and GrowthBook gives null.
        const isHeldBack = reason === 'PREREQUISITE_FAILED' && value === false
        return { theirs: isHeldBack ? (theirs ?? false) : theirs, ours: value }
      },
      close: () => client.destroy(),
    }
  },
}
