import { createFlagSet } from '@burgee/evaluation'
import { describe, expect, it } from 'vitest'
import { createFlagStore, type FlagStore } from '../../src/flag-store.ts'
import { flag } from './support/flags.ts'

const upsert = (store: FlagStore, key: string, fields = {}): string[] =>
  store.apply({ type: 'UPSERT', key, flag: flag(key, fields) })
const seen = (store: FlagStore): string[] => [...store.current.keys()]

describe('the flag store', () => {
  it('the store has the given flags until the first set is complete', () => {
    const store = createFlagStore([flag('given')])
    store.filling = createFlagSet()
    upsert(store, 'new')

    expect(seen(store)).toEqual(['given'])
  })

  it('the store replaces the whole set at once', () => {
    const store = createFlagStore([flag('old')])
    store.filling = createFlagSet()
    upsert(store, 'a')
    upsert(store, 'b')
    store.apply({ type: 'DELETE', key: 'a' })

    expect(store.publish(store.filling)).toEqual(['old', 'b'])
    expect(seen(store)).toEqual(['b'])
  })

  it('the store discards an incomplete set', () => {
    const store = createFlagStore([flag('old')])
    store.filling = createFlagSet()
    upsert(store, 'half')
    store.filling = null
    upsert(store, 'live')

    expect(seen(store)).toEqual(['old', 'live'])
  })

  it('the store starts a bootstrap with an empty set', () => {
    const store = createFlagStore([])
    store.filling = createFlagSet()
    upsert(store, 'first')
    store.filling = createFlagSet()
    upsert(store, 'second')
    store.publish(store.filling)

    expect(seen(store)).toEqual(['second'])
  })

  it('the store applies live updates to the current set, and names them', () => {
    const store = createFlagStore([flag('a')])

    expect(upsert(store, 'a', { is_enabled: false })).toEqual(['a'])
    expect(store.current.isEnabled('a', 'u')).toBe(false)
    expect(store.apply({ type: 'DELETE', key: 'a' })).toEqual(['a'])
    expect(seen(store)).toEqual([])
  })

  it('the store names no changes while a set is being collected', () => {
    const store = createFlagStore([])
    store.filling = createFlagSet()

    expect(upsert(store, 'a')).toEqual([])
  })

  it('the store names only flags that differ after a replacement: changed, added, removed', () => {
    const store = createFlagStore([flag('same'), flag('changed'), flag('removed')])

    expect(
      store.publish(createFlagSet([flag('same'), flag('changed', { revision: 2 }), flag('added')])),
    ).toEqual(['changed', 'removed', 'added'])
  })

  it('the store keeps the collected set when a snapshot is published', () => {
    const store = createFlagStore([])
    store.filling = createFlagSet()
    upsert(store, 'streamed')
    store.publish(createFlagSet([flag('polled')]))
    expect(seen(store)).toEqual(['polled'])
    store.publish(store.filling)

    expect(seen(store)).toEqual(['streamed'])
  })

  it('the store accepts an empty snapshot', () => {
    const store = createFlagStore([flag('a')])

    expect(store.publish(createFlagSet([]))).toEqual(['a'])
    expect(seen(store)).toEqual([])
  })
})
