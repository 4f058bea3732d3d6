import { defineConfig } from 'vitest/config'

/** Tests run against the sources, which every package's `exports` has under this condition. */
const source = {
  resolve: { conditions: ['burgee-source'] },
  ssr: { resolve: { conditions: ['burgee-source'] } },
}

/** `npm test` sets it: `full` and `quick` are suites of their own, and anything else is the ordinary one. */
const SUITE = process.env.BURGEE_TEST_SUITE
/** What takes long by its nature: loops of kills, matrices, browsers on every page. */
const LONG = '*.full.test.ts'
/** Beside all tests of units: the endpoints that everything else depends on. */
const QUICK = ['auth', 'changes', 'flags', 'segments', 'snapshot-shortcut', 'stream', 'projects']

const withSuffix = (folder: string, depth: string) =>
  SUITE === 'full'
    ? { include: [`${folder}/${depth}${LONG}`] }
    : { include: [`${folder}/${depth}*.test.ts`], exclude: [`**/${LONG}`] }

const integration =
  SUITE === 'quick'
    ? { include: QUICK.map((name) => `packages/server/test/integration/${name}.test.ts`) }
    : withSuffix('packages/*/test/integration', '**/')

/**
 * Browsers start when everything else has finished, and then whole processes, some of which are killed, with
 * the machine to themselves.
 */
const FIRST = { groupOrder: 0 }
const THEN = { groupOrder: 1 }
const LAST = { groupOrder: 2 }

export default defineConfig({
  test: {
    // One for each core of a small machine: the database has processes of its own.
    maxWorkers: 2,
    projects: [
      {
        ...source,
        test: {
          name: 'unit',
          ...withSuffix('packages/*/test/unit', '**/'),
          environment: 'node',
          sequence: FIRST,
          // Property tests take longer than the default of 5 s on a busy machine.
          testTimeout: 60_000,
        },
      },
      {
        ...source,
        test: {
          name: 'integration',
          ...integration,
          environment: 'node',
          globalSetup: ['packages/server/test/harness/global-setup.ts'],
          sequence: FIRST,
          // A generous timeout for a busy machine, not a tested limit: some tests start several processes
          // beside others.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        ...source,
        test: {
          name: 'browser',
          ...withSuffix('e2e/dashboard', '**/'),
          environment: 'node',
          globalSetup: ['e2e/harness/prepare-browser.ts'],
          sequence: THEN,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        ...source,
        test: {
          name: 'e2e',
          ...withSuffix('e2e', ''),
          environment: 'node',
          globalSetup: ['e2e/harness/prepare-browser.ts'],
          sequence: LAST,
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
