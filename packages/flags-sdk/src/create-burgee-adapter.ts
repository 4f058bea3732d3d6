import type { Attributes, Client, FlagKey, UserFlags } from '@burgee/sdk'
import type { Adapter } from 'flags'
import { flagAddress } from './flag-address.ts'

/** The user of a request: what `identify` returns. */
export interface BurgeeEntities {
  /** The stable identifier that is hashed for rollouts and variants. Null or absent for an anonymous user. */
  readonly key?: string | null | undefined
  readonly attributes?: Attributes | null | undefined
}

export interface BurgeeAdapterOptions {
  /** A client of the server. The adapter connects it before the first flag is decided. */
  readonly client: Client
  /** Returns the user of a request, for all flags that do not identify it themselves. */
  readonly identify?: Adapter<unknown, BurgeeEntities>['identify']
  /** The address of the environment in the dashboard, for links to flags. */
  readonly origin?: string
  /** The time in milliseconds that the first decisions wait for the flags. Default 5,000. */
  readonly connectTimeoutMs?: number
}

export interface BurgeeAdapter {
  /** Decides whether a boolean flag is true, and whether any other flag is enabled. */
  isEnabled(): Adapter<boolean, BurgeeEntities>
  /** Decides the value of a flag. Without a value, the `defaultValue` of the declaration applies. */
  getVariant<Value>(): Adapter<Value, BurgeeEntities>
  readonly client: Client
}

const CONNECT_TIMEOUT_MS = 5_000

/** Creates adapters for `flag()` of the package `flags`: one for each kind of result. */
export function createBurgeeAdapter(options: BurgeeAdapterOptions): BurgeeAdapter {
  const adapters = {
    isEnabled: adapt<boolean>(options, 'isEnabled', (flags, { key, defaultValue }) => {
      const { reason } = flags.evaluate(key)
      const isUnknown = reason === 'FLAG_NOT_FOUND' || reason === 'ERROR'
      return isUnknown && typeof defaultValue === 'boolean' ? defaultValue : flags.isEnabled(key as FlagKey)
    }),
    // Undefined lets the default value of the declaration apply.
    getVariant: adapt<unknown>(
      options,
      'getVariant',
      (flags, { key }) => flags.evaluate(key).value ?? undefined,
    ),
  }
  return {
    isEnabled: () => adapters.isEnabled,
    // The declaration is responsible for the type, as with `client.getVariant`.
    getVariant: <Value>() => adapters.getVariant as Adapter<Value, BurgeeEntities>,
    client: options.client,
  }
}

interface AskedFlag {
  readonly key: string
  readonly defaultValue?: unknown
}

/** @param name The kind of result: `bulkDecide` gives all flags of a group the same kind. */
function adapt<Value>(
  { client, connectTimeoutMs = CONNECT_TIMEOUT_MS, identify, origin }: BurgeeAdapterOptions,
  name: string,
  decideOne: (flags: UserFlags, flag: AskedFlag) => Value | undefined,
): Adapter<Value, BurgeeEntities> {
  let connecting: Promise<void> | undefined

  /** Waits once: an unavailable server delays the first requests only. The client keeps trying. */
  function initialize(): Promise<void> {
    connecting ??= client.connect({ timeoutMs: connectTimeoutMs }).catch(() => {})
    return connecting
  }

  async function flagsOf(user?: BurgeeEntities): Promise<UserFlags> {
    // `flags` 4.3 calls `initialize` only before it reports an override.
    await initialize()
    return client.forUser(user?.key, user?.attributes)
  }

  return {
    adapterId: Symbol(`burgee ${name}`),
    initialize,
    ...(identify && { identify: identify as Adapter<Value, BurgeeEntities>['identify'] & {} }),
    ...(origin !== undefined && { origin: (key: string) => flagAddress(origin, key) }),
    // `flags` treats undefined as no value, although its types do not state it.
    decide: async ({ entities, ...flag }) => decideOne(await flagsOf(entities), flag) as Value,
    async bulkDecide({ entities, flags: asked }) {
      const flags = await flagsOf(entities)
      return Object.fromEntries(asked.map((flag) => [flag.key, decideOne(flags, flag) as Value]))
    },
  }
}
