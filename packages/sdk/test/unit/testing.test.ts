import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { createTestClient } from '../../src/testing.ts'
import { examplesOf, runExample } from './support/examples.ts'

describe('the client for tests', () => {
  it('flags have the given values for every user, at once and without a network', () => {
    const client = createTestClient({
      flags: { on: true, off: false, theme: 'dark', seats: 3, ratio: 0.5, limits: { a: [1] }, nothing: null },
    })

    expect(client.status).toMatchObject({ state: 'offline', isReady: true, flagCount: 7 })
    expect(['on', 'off', 'theme', 'nothing', 'unknown'].map((key) => client.isEnabled(key, 'u'))).toEqual([
      true,
      false,
      true,
      false,
      false,
    ])
    expect(client.getVariant('theme', null)).toBe('dark')
    expect(client.getVariant('limits', 'u')).toEqual({ a: [1] })
    expect(client.getVariant('nothing', 'u', {}, 'mine')).toBe('mine')
    expect(client.evaluate('seats', 'u')).toEqual({ value: 3, enabled: true, reason: 'STATIC', variant: '3' })
    expect(client.evaluate('ratio', 'u').value).toBe(0.5)
    expect(client.evaluate('unknown', 'u').reason).toBe('FLAG_NOT_FOUND')
    expect(createTestClient().allFlags('u')).toEqual({})
  })

  it('set changes one value or several, with one update', () => {
    const client = createTestClient({ flags: { on: true, theme: 'dark' } })
    const flags = client.forUser('u')
    const seen = [flags.isEnabled('on'), flags.getVariant('theme')]
    const updates: unknown[] = []
    flags.on('update', ({ flagKeys }) => updates.push(flagKeys))
    client.on('update', ({ flagKeys }) => updates.push(flagKeys))

    client.set('on', false)
    expect([seen, flags.isEnabled('on'), updates]).toEqual([[true, 'dark'], false, [['on'], ['on']]])
    client.set({ theme: 'light', added: 1 })
    expect([flags.getVariant('theme'), client.getVariant('added', 'u')]).toEqual(['light', 1])
    client.set('theme', undefined)
    expect(client.evaluate('theme', 'u').reason).toBe('FLAG_NOT_FOUND')
    updates.length = 0
    client.set('added', 1)
    expect(updates).toEqual([])
  })

  it('the client for tests has the interface of the client', async () => {
    const events: string[] = []
    const client = createTestClient({
      flags: { on: true },
      aliases: { old: 'on' },
      onEvaluation: ({ flagKey }) => events.push(flagKey),
    })
    await client.connect()
    await client.refresh()
    client.track('bought', 'u')
    client.setOverrides({ on: false })
    expect([client.isEnabled('old', 'u'), client.forUser('u').dehydrate()]).toEqual([
      false,
      { values: { on: false }, revision: 1 },
    ])
    await client.flush()
    await client.close()
    expect(events).toEqual(['on'])
  })
})

describe('aliases', () => {
  it('an old key is evaluated and reported as the present one', () => {
    const reported: string[] = []
    const client = createTestClient({
      flags: { 'new-key': 'value' },
      aliases: { 'old.key': 'new-key', gone: 'nowhere' },
      overrides: {},
      onEvaluation: ({ flagKey }) => reported.push(flagKey),
    })
    const flags = client.forUser('u')

    expect([client.getVariant('old.key', 'u'), flags.getVariant('old.key')]).toEqual(['value', 'value'])
    expect(client.isEnabled('old.key', 'u')).toBe(true)
    expect(client.evaluate('gone', 'u').reason).toBe('FLAG_NOT_FOUND')
    expect(client.evaluate('constructor', 'u').reason).toBe('FLAG_NOT_FOUND')
    expect(client.allFlags('u')).toEqual({ 'new-key': 'value' })
    expect(reported).toEqual(['new-key', 'new-key', 'new-key', 'nowhere', 'constructor'])
    client.setOverrides({ 'old.key': 'mine' })
    expect([flags.getVariant('new-key'), flags.getVariant('old.key')]).toEqual(['mine', 'mine'])
  })

  it('the initial values of a page are found by old keys', () => {
    const client = createTestClient({ flags: {} })
    expect(client.forUser('u', {}, { initial: { values: { a: 1 }, revision: 1 } }).getVariant('a')).toBe(null)
  })
})

it('the example of the page about tests runs', async () => {
  const page = await readFile(new URL('../../../../docs/sdk/tests.md', import.meta.url), 'utf8')
  const [example = ''] = examplesOf(page)
  const printed: unknown[] = []
  const globals = { console: { log: (value: unknown) => printed.push(value) } }
  await runExample(example, { '@burgee/sdk/testing': { createTestClient } }, globals)

  expect(printed).toEqual([true, ['new-checkout'], ['theme', 'button-color'], ['theme']])
})
