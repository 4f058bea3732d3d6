import type { JsonValue } from '@burgee/evaluation'
import { type JsonObject, listOf, objectOf } from '../reading.ts'
import { recognizeFiles } from '../recognition/recognize-files.ts'
import { type EngineKind, type EngineUser, visitObjects } from './engine.ts'

interface Client {
  getValueAsync(key: string, fallback: null, user: object): Promise<JsonValue>
  dispose(): void
}
interface ConfigCatModule {
  getClient(key: string, mode: unknown, options: object): Client
  readonly PollingMode: { readonly ManualPoll: unknown }
}

export const CONFIGCAT: EngineKind = {
  npmPackage: '@configcat/sdk',
  version: '1.1.0',
  start: async ({ files, load }) => {
    const module = (await load('@configcat/sdk')) as ConfigCatModule
    const settings = new Map<string, { client: Client; lists: ReadonlySet<string> }>()
    // The engine reads version 6 only.
    const readable = recognizeFiles('configcat', files).filter(({ kind }) => kind === 'v6')
    const clients = readable.map(({ data }, index) => {
      const config = objectOf(data)
      const client = startClient(module, config, index)
      for (const [key, setting] of Object.entries(objectOf(config.f)))
        settings.set(key, { client, lists: listAttributes(setting, config.s) })
      return client
    })
    return {
      has: (key) => settings.has(key),
      adapt: numbersAsTexts,
      ask: async (key, user, { value }) => {
        const setting = settings.get(key)
        const theirs = (await setting?.client.getValueAsync(key, null, userOf(user, setting.lists))) ?? null
        return { theirs, ours: value }
      },
      close: () => {
        for (const client of clients) client.dispose()
      },
    }
  },
}

/** A client that has this config in its cache, and never requests another. The form of its key is checked. */
function startClient({ PollingMode, getClient }: ConfigCatModule, config: object, index: number): Client {
  const payload = `${Date.now()}\n"etag"\n${JSON.stringify(config)}`
  const suffix = String(Math.random()).slice(2).padEnd(16, '0').slice(0, 16)
  const key = `configcat-sdk-1/TEST_KEY-0123456789012/${String(index).padStart(6, '0')}${suffix}`
  return getClient(key, PollingMode.ManualPoll, {
    baseUrl: 'http://127.0.0.1:9',
    cache: { get: () => payload, set: () => {} },
    logger: { log: () => {} },
  })
}

function userOf({ attributes, key }: EngineUser, lists: ReadonlySet<string>): object {
  const custom = Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      lists.has(name) && !Array.isArray(value) && value !== null && value !== '' ? [String(value)] : value,
    ]),
  )
  return { identifier: key, email: custom.Email, country: custom.Country, custom }
}

/** Returns one user of a few with texts in place of numbers, which are compared as these numbers there. */
function numbersAsTexts(user: EngineUser): EngineUser {
  if (user.key.length % 3 !== 0) return user
  const texts = Object.entries(user.attributes).map(([name, value]) => [
    name,
    typeof value === 'number' ? String(value) : value,
  ])
  return { key: user.key, attributes: Object.fromEntries(texts) }
}

/** The comparators of lists: ARRAY CONTAINS ANY OF, and its complement, each also over hashes. */
const LIST_COMPARATORS: ReadonlySet<unknown> = new Set([26, 27, 34, 35])

/** Returns the attributes that a setting, or a segment that it names, compares as lists of texts. */
function listAttributes(setting: unknown, segments: unknown): ReadonlySet<string> {
  const names = new Set<string>()
  const collect = ({ a, c }: JsonObject) => {
    if (typeof a === 'string' && LIST_COMPARATORS.has(c)) names.add(a)
  }
  visitObjects(setting, (object) => {
    collect(object)
    const index = objectOf(object.s).s
    if (typeof index === 'number') visitObjects(listOf(segments)[index], collect)
  })
  return names
}
