import { expect, it } from 'vitest'
import { createStoredOverrides } from '../../src/stored-overrides.ts'

function storageOf(text?: string) {
  const items = new Map(text === undefined ? [] : [['name', text]])
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  }
}

it('values are stored, and the item is removed without any', () => {
  const storage = storageOf()
  const stored = createStoredOverrides(() => storage, 'name')
  expect(stored.read()).toEqual({})
  expect(stored.write({ on: true, theme: 'dark' })).toBe(true)
  expect(stored.read()).toEqual({ on: true, theme: 'dark' })
  expect([stored.write({}), storage.items.size]).toEqual([true, 0])
})

it.each(['{"on": tr', '[1]', 'null', '5', `{"a": "${'x'.repeat(100_000)}"}`])(
  'content that is no object of values counts as nothing',
  (text) => {
    expect(createStoredOverrides(() => storageOf(text), 'name').read()).toEqual({})
  },
)

it('a storage that is forbidden, and too many values, are not written', () => {
  const forbidden = createStoredOverrides(() => {
    throw new Error('SecurityError')
  }, 'name')
  expect([forbidden.read(), forbidden.write({ on: true })]).toEqual([{}, false])
  expect(createStoredOverrides(storageOf, 'name').write({ a: 'x'.repeat(100_000) })).toBe(false)
})
