import { expect, test } from 'vitest'
import { describeTranslation } from '../../../src/features/import/count-flags.ts'
import { isSameContent, isSameSource } from '../../../src/features/import/import-draft.ts'

const source = (content: string, attributes: Readonly<Record<string, string>> = {}) => ({
  system: 'flagd' as const,
  files: [{ name: 'flags.json', content }],
  attributes,
  isPartial: false,
})

test('the same files of the same service are the same content, whatever the names of attributes', () => {
  expect(isSameContent(source('{}', { a: 'b' }), source('{}'))).toBe(true)
  expect(isSameContent(source('{}'), source('[]'))).toBe(false)
  expect(isSameContent(source('{}'), { ...source('{}'), files: [] })).toBe(false)
  expect(isSameContent(source('{}'), { ...source('{}'), system: 'goff' })).toBe(false)
})

test('a translation is repeated for other names of attributes', () => {
  expect(isSameSource(source('{}', { a: 'b', c: 'd' }), source('{}', { c: 'd', a: 'b' }))).toBe(true)
  expect(isSameSource(source('{}', { a: 'b' }), source('{}', { a: 'c' }))).toBe(false)
  expect(isSameSource(source('{}'), source('{}', { a: 'c' }))).toBe(false)
  expect(isSameSource(source('[]'), source('{}'))).toBe(false)
  expect(isSameSource(source('{}'), { ...source('{}'), isPartial: true })).toBe(false)
})

const describe = (system: Parameters<typeof describeTranslation>[0], ...contents: readonly unknown[]) =>
  describeTranslation(
    system,
    contents.map((content, index) => ({
      name: `${index}`,
      content: typeof content === 'string' ? content : JSON.stringify(content),
    })),
  )

test('a translation is described by its number of flags, as each service lists them', () => {
  const flag = { variations: [] }
  expect(describe('launchdarkly', { items: [flag, flag] }, { items: [{ key: 'segment' }] })).toBe(
    'Translating 2 flags',
  )
  expect(describe('launchdarkly', { flags: { a: flag }, segments: { b: {} } })).toBe('Translating 1 flag')
  expect(describe('unleash', { features: [{}, {}] }, [{}])).toBe('Translating the flags of 2 files')
  expect(describe('unleash', { features: [{}, {}] }, { segments: [{}] })).toBe('Translating 2 flags')
  expect(describe('flagd', { flags: { a: {} } })).toBe('Translating 1 flag')
  expect(describe('growthbook', { features: { a: {}, b: {} } })).toBe('Translating 2 flags')
  expect(describe('flagsmith', { feature_states: [{}] })).toBe('Translating 1 flag')
  expect(describe('goff', { a: {}, b: {}, c: {} })).toBe('Translating 3 flags')
  expect(describe('configcat', { f: { a: {} } })).toBe('Translating 1 flag')
})

test('where the flags cannot be counted, the files are', () => {
  expect(describe('goff', 'flag:\n  variations: {}')).toBe('Translating the flags of 1 file')
  expect(describe('flagd', { flags: {} }, 'flags: {}')).toBe('Translating the flags of 2 files')
  expect(describe('flagd', { flags: 5 })).toBe('Translating the flags of 1 file')
})
