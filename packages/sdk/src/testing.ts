// By its name, so that the published entry shares the client and `Flags` with the one of the package.
import { type Client, type ClientOptions, createClient, type Flags, type JsonValue } from '@burgee/sdk'
import { constantFlag } from './constant-flag.ts'
import { isSame } from './user-results.ts'

/** Values by flag key, with the types of `Flags` where your program declares it. */
export type TestValues = keyof Flags extends never
  ? Readonly<Record<string, JsonValue>>
  : { readonly [Key in keyof Flags]?: Flags[Key] | null }

export interface TestClientOptions extends Pick<ClientOptions, 'onEvaluation' | 'aliases' | 'overrides'> {
  /** The flags and their values: the same for every user. Every other flag is unknown. */
  readonly flags?: TestValues
}

/** A client for tests. It never uses the network and is ready at once. */
export interface TestClient extends Client {
  /** Sets one value; undefined removes the flag. Listeners are called before it returns. */
  set<Key extends keyof TestValues & string>(flagKey: Key, value: TestValues[Key] | undefined): void
  /** Sets several values at once, with one update. */
  set(values: TestValues): void
}

/** Creates a client whose flags have the given values. */
export function createTestClient({ flags = {}, ...options }: TestClientOptions = {}): TestClient {
  const values = new Map<string, JsonValue>(Object.entries(flags))
  const revisions = new Map<string, number>()
  let revision = 1
  let publish = () => {}

  const client = createClient({
    url: '',
    sdkKey: '',
    ...options,
    source: {
      open({ onFlags }) {
        publish = () =>
          onFlags([...values].map(([key, value]) => constantFlag(key, value, revisions.get(key) ?? 1)))
        publish()
        return () => {}
      },
    },
  })
  void client.connect()

  function set(first: string | TestValues, value?: JsonValue): void {
    const changes = typeof first === 'string' ? { [first]: value } : first
    revision++
    for (const [key, next] of Object.entries<JsonValue | undefined>(changes)) {
      if (values.has(key) && isSame(values.get(key), next)) continue
      revisions.set(key, revision)
      if (next === undefined) values.delete(key)
      else values.set(key, next)
    }
    publish()
  }
  return Object.assign(client, { set })
}
