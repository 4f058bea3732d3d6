export interface AnonymousKeyOptions {
  /** The name of the item in the storage. Default `burgee-anonymous-key`. */
  readonly storageKey?: string
  /** A replacement for `localStorage`. */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem'>
}

/** A stored key that is anything else is replaced: the server accepts no longer ones. */
const KEY = /^[\w-]{8,100}$/
const KEY_BYTES = 16
/** The keys of pages without a storage, for as long as the page lives. */
const MEMORY = Symbol.for('burgee.anonymous-keys')

/**
 * Returns a random key for a visitor without an account: the same one on each visit of this browser. Where
 * nothing can be stored, it is the same one until the page is left. Without a page and a storage, as on a
 * server, each call returns another one.
 */
export function anonymousKey({
  storageKey = 'burgee-anonymous-key',
  storage,
}: AnonymousKeyOptions = {}): string {
  const isPage = typeof document !== 'undefined'
  const kept = isPage ? pageKeys() : {}
  const key = [read(), kept[storageKey], createKey()].find((each) => KEY.test(each ?? '')) ?? ''
  kept[storageKey] = key
  write(key)
  return key

  function read(): string | null {
    try {
      return place()?.getItem(storageKey) ?? null
    } catch {
      return null
    }
  }

  function write(text: string): void {
    try {
      place()?.setItem(storageKey, text)
    } catch {}
  }

  /** Reading `localStorage` throws where the browser forbids it. */
  function place(): AnonymousKeyOptions['storage'] {
    return storage ?? (isPage ? globalThis.localStorage : undefined)
  }
}

function pageKeys(): Record<string, string> {
  const page = globalThis as { [MEMORY]?: Record<string, string> }
  page[MEMORY] ??= {}
  return page[MEMORY]
}

/** Pages without https have no `randomUUID`, and React Native has no `crypto`. */
function createKey(): string {
  const bytes = Uint8Array.from({ length: KEY_BYTES }, () => Math.random() * 256)
  globalThis.crypto?.getRandomValues(bytes)
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
