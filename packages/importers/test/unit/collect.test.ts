import { expect, test } from 'vitest'
import { collectFeatures } from '../../src/systems/growthbook/gb-files.ts'
import { collectEnvironments } from '../../src/systems/launchdarkly/ld-files.ts'
import { collectUnleash } from '../../src/systems/unleash/unleash-files.ts'
import { dataFile } from './harness.ts'

// The engines of the comparisons receive what these functions collect, so they must not lose anything.

test('the flags and segments of LaunchDarkly are collected unchanged', () => {
  const data = dataFile('launchdarkly/sdk-data.json') as Record<'flags' | 'segments', Record<string, object>>
  const [found] = collectEnvironments([{ name: 'file', data }], undefined)
  expect(found?.flags.map(({ key, state }) => [key, state])).toEqual(Object.entries(data.flags))
  const values = found?.flags.map(({ variations }) => variations.map(({ value }) => value))
  expect(values).toEqual(Object.values(data.flags).map((flag) => Object(flag).variations))
  const segments = { pros: { key: 'pros', included: ['a'], rules: [{ clauses: [] }], salt: 's' } }
  const withSegments = collectEnvironments([{ name: 'file', data: { ...data, segments } }], undefined)
  expect(withSegments[0]?.segments).toEqual([segments.pros])
})

test('the features and segments of Unleash are collected unchanged', () => {
  const data = dataFile('unleash/client-features.json') as { features: object[]; segments?: object[] }
  const segments = [{ id: 1, constraints: [{ contextName: 'plan', operator: 'IN', values: ['pro'] }] }]
  const found = collectUnleash([{ name: 'file', data: { ...data, segments } }], undefined)
  const features = found.environments[0]?.features.map((one) => ({
    ...{ ...one.facts, name: one.name, enabled: one.isEnabled, strategies: one.strategies },
    ...{ variants: one.variants, dependencies: one.dependencies },
  }))
  expect(features).toEqual(data.features.map((feature) => ({ variants: [], dependencies: [], ...feature })))
  expect([...found.segments.values()]).toEqual(segments)
})

test('the features and groups of GrowthBook are collected unchanged', () => {
  const features = { flag: { defaultValue: 'a', rules: [{ coverage: 0.5, force: 'b', other: [1] }] } }
  const data = { features, savedGroups: { g: ['user-1'] } }
  const { environments, savedGroups } = collectFeatures([{ name: 'file', data }], undefined)
  expect([...environments.values()].flat().map(({ feature, key }) => [key, feature])).toEqual(
    Object.entries(features),
  )
  expect(Object.fromEntries(savedGroups)).toEqual(data.savedGroups)
})
