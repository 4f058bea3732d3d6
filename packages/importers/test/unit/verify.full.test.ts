import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type ImportSystem, importFiles, parseFile } from '../../src/index.ts'
import { verifyFiles } from './harness.ts'

const SAMPLES = new URL('../samples/', import.meta.url)
const USERS = process.env.BURGEE_FULL ? 10_000 : 1_000

const filesOf = (system: ImportSystem): string[] =>
  readdirSync(new URL(`${system}/`, SAMPLES)).map((name) => `${system}/${name}`)

const read = (path: string) =>
  parseFile({ name: path, content: readFileSync(new URL(path, SAMPLES), 'utf8') })

/** Files that are one import, and the number of flags that their engine evaluates. */
const IMPORTS: readonly (readonly [ImportSystem, readonly string[], number])[] = [
  ['launchdarkly', ['launchdarkly/rest-flags.json', 'launchdarkly/rest-segments.json'], 15],
  ['launchdarkly', ['launchdarkly/sdk-data.json'], 3],
  ...filesOf('unleash').map((path) => ['unleash', [path], 1] as const),
  ...filesOf('flagd').map((path) => ['flagd', [path], 1] as const),
  ...filesOf('flagsmith').map((path) => ['flagsmith', [path], 1] as const),
  ...filesOf('configcat').map((path) => ['configcat', [path], 1] as const),
]

test.each(IMPORTS)(
  `%s gives ${USERS} users what its own engine gives them: %j`,
  { timeout: 600_000 },
  async (system, paths, least) => {
    const files = paths.map(read)
    const imported = importFiles(system, files, { nowMs: Date.now() })
    const verified = await verifyFiles(system, { count: USERS, files, imported })
    expect(verified.length).toBeGreaterThanOrEqual(least)
    expect(verified.filter(({ differences }) => differences > 0).slice(0, 5)).toEqual([])
  },
)

test(`growthbook gives ${USERS} users what its own engine gives them: the features of its cases`, {
  timeout: 600_000,
}, async () => {
  const { feature } = JSON.parse(readFileSync(new URL('growthbook/cases.json', SAMPLES), 'utf8'))
  let compared = 0
  for (const [name, data] of feature as [string, { features?: object }][]) {
    if (!data.features) continue
    const files = [{ name, data }]
    const imported = importFiles('growthbook', files, { nowMs: Date.now() })
    const verified = await verifyFiles('growthbook', { count: USERS, files, imported })
    expect([name, verified.filter(({ differences }) => differences > 0).slice(0, 5)]).toEqual([name, []])
    compared += verified.length
  }
  expect(compared).toBeGreaterThanOrEqual(12)
})
