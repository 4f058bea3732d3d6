import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ImportSystem } from '../../src/index.ts'
import { importData, verifyFiles } from './harness.ts'
import { CONFIGCAT_FILES } from './random-files/configcat.ts'
import { FLAGD_FILES } from './random-files/flagd.ts'
import { FLAGSMITH_FILES } from './random-files/flagsmith.ts'
import { GROWTHBOOK_FILES } from './random-files/growthbook.ts'
import { LAUNCHDARKLY_FILES } from './random-files/launchdarkly.ts'
import type { RandomFiles } from './random-files/random-files.ts'
import { UNLEASH_FILES } from './random-files/unleash.ts'

/** `npm run full -- random-files` makes 10,000 of each service, with the seed of the command line. */
const FILES = process.env.BURGEE_FULL ? 10_000 : 200
const USERS = 60
const SEED = process.env.BURGEE_FUZZ_SEED

const SYSTEMS: readonly (readonly [ImportSystem, RandomFiles])[] = [
  ['launchdarkly', LAUNCHDARKLY_FILES],
  ['unleash', UNLEASH_FILES],
  ['flagd', FLAGD_FILES],
  ['flagsmith', FLAGSMITH_FILES],
  ['growthbook', GROWTHBOOK_FILES],
  ['configcat', CONFIGCAT_FILES],
]

test.each(SYSTEMS)(
  'each exact flag of random files of %s gives users what its own engine gives them',
  { timeout: 1_200_000 },
  async (system, { file, pools }) => {
    const figures = { files: 0, flags: 0, exact: 0 }
    const users = { all: new Map(Object.entries(pools)), ofFlags: [] }
    const differsNowhere = async (content: object) => {
      const data: unknown = JSON.parse(JSON.stringify(content))
      const imported = importData(system, [data])
      const files = [{ name: 'flags.json', data }]
      const verified = await verifyFiles(system, { count: USERS, files, imported, pools: users })
      figures.files += 1
      figures.flags += imported.report.flags.length
      figures.exact += verified.length
      expect(verified.filter(({ differences }) => differences > 0)).toEqual([])
    }
    await fc.assert(fc.asyncProperty(file, differsNowhere), {
      numRuns: FILES,
      ...(SEED !== undefined && { seed: Number(SEED) }),
    })
    process.stdout.write(`random files of ${system}: ${JSON.stringify(figures)}\n`)
    // A file without an exact flag compares nothing.
    expect(figures.exact).toBeGreaterThan(FILES / 4)
  },
)
