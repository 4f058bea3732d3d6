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

/**
 * Files of each service, and users of each file. `npm run full -- random-files` takes the seed of the command
 * line.
 */
const ROUNDS = process.env.BURGEE_FULL
  ? [
      { files: 10_000, users: 60 },
      { files: 400, users: 1_000 },
    ]
  : [{ files: 200, users: 60 }]
/** Users of each file that are drawn from the values that its rules name. */
const DRAWN = 40
const SEED = process.env.BURGEE_FUZZ_SEED

const SYSTEMS: readonly (readonly [ImportSystem, RandomFiles])[] = [
  ['launchdarkly', LAUNCHDARKLY_FILES],
  ['unleash', UNLEASH_FILES],
  ['flagd', FLAGD_FILES],
  ['flagsmith', FLAGSMITH_FILES],
  ['growthbook', GROWTHBOOK_FILES],
  ['configcat', CONFIGCAT_FILES],
]

const RUNS = SYSTEMS.flatMap(([system, files]) =>
  ROUNDS.map((round) => [system, round.files, round.users, files] as const),
)

test.each(RUNS)(
  'each exact flag of random files of %s gives users what its own engine gives them: %i files, %i users',
  { timeout: 1_200_000 },
  async (system, files, users, { file, pools }) => {
    const figures = { files: 0, flags: 0, exact: 0 }
    const drawn = { all: new Map(Object.entries(pools)), ofFlags: [] }
    const differsNowhere = async (content: object) => {
      const data: unknown = JSON.parse(JSON.stringify(content))
      const imported = importData(system, [data])
      const sources = [{ name: 'flags.json', data }]
      const verified = await verifyFiles(system, { count: users, files: sources, imported, pools: drawn })
      figures.files += 1
      figures.flags += imported.report.flags.length
      figures.exact += verified.length
      expect(verified.filter(({ differences }) => differences > 0)).toEqual([])
      // The users that `--verify` draws differ nowhere either.
      const own = await verifyFiles(system, { count: DRAWN, files: sources, imported })
      expect(own.filter(({ differences }) => differences > 0)).toEqual([])
    }
    await fc.assert(fc.asyncProperty(file, differsNowhere), {
      numRuns: files,
      ...(SEED !== undefined && { seed: Number(SEED) }),
    })
    process.stdout.write(`random files of ${system}: ${JSON.stringify({ ...figures, users })}\n`)
    // A file without an exact flag compares nothing.
    expect(figures.exact).toBeGreaterThan(files / 4)
  },
)
