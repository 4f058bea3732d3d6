import { dataFile } from './harness.ts'

/** Files of each service, which mutations start from. */
export const SAMPLES = [
  ['launchdarkly', 'launchdarkly/rest-flags.json'],
  ['launchdarkly', 'launchdarkly/sdk-data.json'],
  ['unleash', 'unleash/client-features.json'],
  ['unleash', 'unleash/export.json'],
  ['unleash', 'unleash/state-v2.json'],
  ['flagd', 'flagd/custom-ops.json'],
  ['flagd', 'flagd/example_flags.flagd.json'],
  ['growthbook', 'growthbook/features.json'],
  ['flagsmith', 'flagsmith/environment.json'],
  ['goff', 'goff/flags.json'],
  ['configcat', 'configcat/config_v6-comparisons.json'],
] as const

const STRANGE: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1e308, Number.NaN, '', 'x', '\u0000', '\ud800', 'constructor', '__proto__'],
  ...[[], {}, [[]], [null], { key: null }, 'a'.repeat(5_000), '(?i)((a+)+)+$', { if: [] }, { var: [] }],
]

/** Returns a number generator that gives the same numbers for the same seed. */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 8) % below
  }
}

/** Returns a copy in which a few places have something else, are missing, or are copies of other places. */
export function mutate(content: unknown, random: (below: number) => number): unknown {
  const copy: unknown = structuredClone(content)
  const places: { parent: Record<string, unknown> | unknown[]; key: string }[] = []
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    for (const key of Object.keys(node)) {
      places.push({ parent: node as Record<string, unknown>, key })
      visit((node as Record<string, unknown>)[key])
    }
  }
  visit(copy)
  for (let count = 1 + random(4); count > 0; count--) {
    const place = places[random(places.length)]
    const other = places[random(places.length)]
    if (!place || !other) break
    const parent = place.parent as Record<string, unknown>
    const action = random(3)
    // JSON has no lists with holes.
    if (action === 0 && Array.isArray(place.parent)) place.parent.splice(Number(place.key), 1)
    else if (action === 0) delete parent[place.key]
    else if (action === 1) parent[place.key] = STRANGE[random(STRANGE.length)]
    else parent[place.key] = structuredClone((other.parent as Record<string, unknown>)[other.key])
  }
  return copy
}

export const sample = (path: string): unknown => dataFile(path)
