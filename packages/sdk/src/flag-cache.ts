import type { ClientError } from './client-error.ts'
import type { ClientOptions } from './client-options.ts'
import type { Clock } from './platform.ts'
import { timed } from './request.ts'

/** The time in which changes are gathered before they are saved. */
export const SAVE_DELAY_MS = 1_000
/** The time that `flush()` waits for a save. */
export const SAVE_TIMEOUT_MS = 3_000
/** The format of the text. A cache with another one is not read. */
const VERSION = 1

/** The last flags, kept outside of the program for its next start. */
export interface FlagCache {
  /** Calls back with the saved flags, if there are any for this SDK key. */
  load(onFlags: (flags: readonly unknown[]) => void): void
  /** Saves the flags soon. */
  change(): void
  /** Saves now what was to be saved soon. Resolves after 3 s at the latest, and never rejects. */
  flush(): Promise<void>
}

export interface FlagCacheNeeds {
  readonly clock: Clock
  readonly options: Pick<ClientOptions, 'cache' | 'sdkKey'>
  readonly flags: () => readonly unknown[]
  readonly onError: (error: ClientError) => void
}

/** Creates the cache. Failures are reported and change nothing. */
export function createFlagCache({ clock, options, flags, onError }: FlagCacheNeeds): FlagCache {
  const { cache, sdkKey } = options
  // The key decides the environment: the server may have another address now.
  const owner = hash(sdkKey)
  let cancelTimer: (() => void) | null = null
  let saving = Promise.resolve()
  let isDue = false

  const report = (what: string) => (error: unknown) =>
    onError(new Error(`the cache cannot be ${what}: ${error}`, { cause: error }))

  async function read(onFlags: (flags: readonly unknown[]) => void): Promise<void> {
    const text = await cache?.load()
    if (!text) return
    const saved = JSON.parse(text)
    if (saved.version === VERSION && saved.owner === owner && Array.isArray(saved.flags)) onFlags(saved.flags)
    else throw new TypeError('another SDK key or version')
  }

  /** Besides the running save at most one waits: a save without an end must not gather texts. */
  function save(): Promise<void> {
    if (cancelTimer && !isDue) {
      isDue = true
      saving = saving
        .then(() => {
          isDue = false
          return cache?.save(JSON.stringify({ version: VERSION, owner, flags: flags() }))
        })
        .catch(report('saved'))
    }
    cancelTimer?.()
    cancelTimer = null
    return saving
  }

  return {
    load(onFlags) {
      read(onFlags).catch(report('read'))
    },
    change() {
      if (cache) cancelTimer ??= clock.setTimer(() => void save(), SAVE_DELAY_MS)
    },
    flush: () => timed(clock, save, SAVE_TIMEOUT_MS).catch(report('saved')),
  }
}

/** Hashes a text with FNV-1a. The cache names its owner without holding the key. */
export function hash(text: string): number {
  let result = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    result = Math.imul(result ^ text.charCodeAt(at), 0x01000193) >>> 0
  }
  return result
}
