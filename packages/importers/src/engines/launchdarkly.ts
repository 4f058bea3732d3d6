import type { JsonValue } from '@burgee/evaluation'
import { collectEnvironments } from '../systems/launchdarkly/ld-files.ts'
import { type EngineKind, nest, visitObjects, withLists } from './engine.ts'

interface LaunchDarklyModule {
  basicLogger(options: object): unknown
  init(
    key: string,
    options: object,
  ): {
    waitForInitialization(options: object): Promise<unknown>
    variation(key: string, context: object, fallback: null): Promise<JsonValue>
    close(): void
  }
}
interface IntegrationsModule {
  readonly TestData: new () => {
    usePreconfiguredFlag(flag: object): Promise<unknown>
    usePreconfiguredSegment(segment: object): Promise<unknown>
    getFactory(): unknown
  }
}

const PACKAGE = '@launchdarkly/node-server-sdk'

export const LAUNCHDARKLY: EngineKind = {
  npmPackage: PACKAGE,
  version: '9.13.7',
  start: async ({ environment, files, load, wanted }) => {
    const { basicLogger, init } = (await load(PACKAGE)) as LaunchDarklyModule
    const { TestData } = (await load(`${PACKAGE}/integrations`)) as IntegrationsModule
    const found = collectEnvironments(files, wanted).find((one) => one.environment === environment)
    const source = new TestData()
    const flags = found?.flags.filter(({ problem }) => !problem) ?? []
    for (const { key, state, variations } of flags)
      await source.usePreconfiguredFlag({
        ...{ version: 1, ...state, key, salt: state.salt ?? '' },
        variations: variations.map(({ value }) => value),
      })
    for (const segment of found?.segments ?? [])
      await source.usePreconfiguredSegment({ salt: '', ...segment, version: 1 })
    const client = init('sdk-key', {
      ...{ updateProcessor: source.getFactory(), sendEvents: false, diagnosticOptOut: true },
      logger: basicLogger({ level: 'none' }),
    })
    await client.waitForInitialization({ timeout: 60 })
    const lists = listAttributes([flags.map(({ state }) => state), found?.segments])
    const keys = new Set(flags.map(({ key }) => key))
    return {
      has: (key) => keys.has(key),
      adapt: (user) => withLists(user, lists),
      ask: async (key, user, { value }) => {
        const { attributes } = user
        const context = { ...nest(attributes), ...attributes, kind: 'user', key: user.key }
        return { theirs: await client.variation(key, context, null), ours: value }
      },
      close: () => client.close(),
    }
  },
}

const TEXT_OPERATORS: ReadonlySet<unknown> = new Set(['in', 'contains', 'startsWith', 'endsWith', 'matches'])

/** Returns the attributes that are compared as texts, element by element. A list divides no users. */
function listAttributes(content: unknown): ReadonlySet<string> {
  const names = new Set<string>()
  const others = new Set<unknown>()
  visitObjects(content, ({ attribute, bucketBy, op }) => {
    others.add(bucketBy)
    if (!TEXT_OPERATORS.has(op)) others.add(attribute)
    else if (typeof attribute === 'string') names.add(attribute)
  })
  return new Set([...names].filter((name) => !others.has(name)))
}
