import type { JsonValue } from '@burgee/evaluation'
import { isObject, type JsonObject, objectOf } from '../reading.ts'
import { recognizeFiles } from '../recognition/recognize-files.ts'
import { collectFeatures } from '../systems/growthbook/gb-files.ts'
import {
  type EngineInput,
  type EngineKind,
  type EngineUser,
  nest,
  visitObjects,
  withLists,
} from './engine.ts'

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
    const payload = payloadFor(files, { environment, wanted })
    const { features } = payload
    const lists = listAttributes(features)
    const client = new GrowthBookClient().initSync({ payload })
    return {
      has: (key) => Object.hasOwn(features, key),
      adapt: (user) => withLists(onlyLists(user, lists.needed), lists.possible),
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

interface Payload {
  readonly features: JsonObject
  readonly savedGroups: JsonObject
}

/** The files themselves where they are what SDKs receive. Responses of the REST API become that. */
function payloadFor(
  files: EngineInput['files'],
  { environment, wanted }: Pick<EngineInput, 'environment' | 'wanted'>,
): Payload {
  const { environments, savedGroups } = collectFeatures(files, wanted)
  const groups = Object.fromEntries(savedGroups)
  const received = recognizeFiles('growthbook', files).flatMap(({ data, kind }) => {
    if (kind === 'map') return [objectOf(data)]
    return kind === 'payload' ? [objectOf(objectOf(data).features)] : []
  })
  if (received.length > 0)
    return { features: Object.fromEntries(received.flatMap(Object.entries)), savedGroups: groups }
  // A feature that is off is not among those that SDKs receive: the code decides there.
  const on = (environments.get(environment) ?? []).filter(({ isEnabled }) => isEnabled)
  return { features: Object.fromEntries(on.map(({ feature, key }) => [key, feature])), savedGroups: groups }
}

/** These hold for lists only. */
const NEED_LISTS = ['$all', '$alli', '$elemMatch']
/** These hold for a list where they do for an element. */
const TAKE_LISTS = ['$in', '$nin', '$ini', '$nini', '$inGroup', '$notInGroup', '$exists']

interface ListAttributes {
  readonly needed: ReadonlySet<string>
  readonly possible: ReadonlySet<string>
}

/** Returns the attributes that conditions compare as lists. */
function listAttributes(features: JsonObject): ListAttributes {
  const needed = new Set<string>()
  const possible = new Set<string>()
  const others = new Set<unknown>(['id'])
  visitObjects(features, (object) => {
    others.add(object.hashAttribute)
    for (const [name, tests] of Object.entries(object)) {
      const operators = isObject(tests) ? Object.keys(tests) : []
      if (operators.some((operator) => NEED_LISTS.includes(operator))) needed.add(name)
      if (operators.length > 0 && operators.every((operator) => TAKE_LISTS.includes(operator)))
        possible.add(name)
      else others.add(name)
    }
  })
  return { needed, possible: new Set([...possible].filter((name) => !others.has(name))) }
}

/** Returns the user with a list of one where a condition needs a list. */
const onlyLists = ({ attributes, key }: EngineUser, needed: ReadonlySet<string>): EngineUser => ({
  key,
  attributes: Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      needed.has(name) && typeof value === 'string' && value !== '' ? [value] : value,
    ]),
  ),
})
