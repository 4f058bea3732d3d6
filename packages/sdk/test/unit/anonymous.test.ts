import { afterEach, expect, it, vi } from 'vitest'
import { anonymousKey } from '../../src/anonymous.ts'

const FORBIDDEN = {
  getItem(): string {
    throw new Error('SecurityError')
  },
  setItem() {
    throw new Error('QuotaExceededError')
  },
}

function storageOf(items: Record<string, string> = {}) {
  return {
    items,
    getItem: (name: string) => items[name] ?? null,
    setItem: (name: string, value: string) => void Object.assign(items, { [name]: value }),
  }
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, Symbol.for('burgee.anonymous-keys'))
  vi.unstubAllGlobals()
})

it('the key is stored, and stays the same', () => {
  const storage = storageOf()
  const key = anonymousKey({ storage })

  expect(key).toMatch(/^[0-9a-f]{32}$/)
  expect(storage.items).toEqual({ 'burgee-anonymous-key': key })
  expect([anonymousKey({ storage }), anonymousKey({ storage, storageKey: 'other' }) === key]).toEqual([
    key,
    false,
  ])
})

it('a page uses localStorage', () => {
  const storage = storageOf({ 'burgee-anonymous-key': 'stored-before' })
  vi.stubGlobal('document', {})
  vi.stubGlobal('localStorage', storage)

  expect(anonymousKey()).toBe('stored-before')
})

it('a page that may store nothing keeps its key until it is left', () => {
  vi.stubGlobal('document', {})
  vi.stubGlobal('localStorage', FORBIDDEN)

  expect(anonymousKey()).toBe(anonymousKey())
  expect(anonymousKey({ storageKey: 'other' })).not.toBe(anonymousKey())
})

it('a page whose access to localStorage throws keeps its key', () => {
  vi.stubGlobal('document', {})
  const page = globalThis as { localStorage?: unknown }
  const before = Object.getOwnPropertyDescriptor(page, 'localStorage')
  Object.defineProperty(page, 'localStorage', {
    configurable: true,
    get() {
      throw new Error('SecurityError')
    },
  })
  expect(anonymousKey()).toBe(anonymousKey())
  if (before) Object.defineProperty(page, 'localStorage', before)
  else Reflect.deleteProperty(page, 'localStorage')
})

it('a server without a storage gets another key each time', () => {
  expect(anonymousKey()).not.toBe(anonymousKey())
})

it.each(['', 'short', 'x'.repeat(101), 'with blank', '<script>'])(
  'a stored text that is no key is replaced: %s',
  (text) => {
    const storage = storageOf({ 'burgee-anonymous-key': text })
    const key = anonymousKey({ storage })

    expect([key, storage.items['burgee-anonymous-key']]).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}$/),
      key,
    ])
  },
)

it('a host without crypto has keys all the same', () => {
  vi.stubGlobal('crypto', undefined)

  expect(anonymousKey()).toMatch(/^[0-9a-f]{32}$/)
})
