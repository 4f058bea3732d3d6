import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Tests run against the sources, which every package's `exports` has under this condition. */
const source = {
  resolve: { conditions: ['burgee-source'] },
  ssr: { resolve: { conditions: ['burgee-source'] } },
}

/** The dashboard's build makes this module. Its tests run without the build. */
const DASHBOARD_MODULES = {
  'virtual:contract-endpoints': fileURLToPath(
    new URL('packages/dashboard/test/unit/contract-endpoints.ts', import.meta.url),
  ),
}

/** `npm test` sets it: `full` and `quick` are suites of their own, and anything else is the ordinary one. */
const SUITE = process.env.BURGEE_TEST_SUITE
/** What takes long by its nature: loops of kills, matrices, browsers on every page. */
const LONG = '*.full.test.ts'
/** More than the cores of a small machine: tests also wait, for timers and for other processes. */
const WORKERS = 3
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
 * The ordinary suite is one queue without waiting between its projects, so that no core is idle. In the full
 * suite processes are killed, with the machine to themselves: they come last, one file at a time.
 */
const QUEUED = { groupOrder: 0 }
const PROCESSES =
  SUITE === 'full'
    ? { sequence: { groupOrder: 1 }, maxWorkers: 1 }
    : { sequence: QUEUED, maxWorkers: WORKERS }

/**
 * A test with processes or a browser runs a second time on a CI machine, whose load varies. `npm test`
 * lists what passed only then: each is a fault to find.
 */
const REPEATED = { retry: process.env.CI ? 1 : 0 }

/** The PostgreSQL of the run, with a migrated database to clone. */
const POSTGRES = 'packages/server/test/harness/global-setup.ts'
const BROWSER = 'e2e/harness/prepare-browser.ts'

/**
 * A worker keeps its modules for its next file: loading them takes longer than most tests. They have no state
 * (CONTRIBUTING.md, rule 7), and mocks end with their test.
 */
const SHARED = {
  environment: 'node',
  isolate: false,
  restoreMocks: true,
  unstubGlobals: true,
  // A busy machine may be late.
  expect: { poll: { timeout: 30_000 } },
}

export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    projects: [
      {
        ...source,
        resolve: { ...source.resolve, alias: DASHBOARD_MODULES },
        test: {
          name: 'unit',
          ...withSuffix('packages/*/test/unit', '**/'),
          ...SHARED,
          sequence: QUEUED,
          // Property tests take longer than the default of 5 s on a busy machine.
          testTimeout: 60_000,
        },
      },
      {
        ...source,
        test: {
          name: 'integration',
          ...integration,
          ...SHARED,
          ...REPEATED,
          globalSetup: [POSTGRES],
          sequence: QUEUED,
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
          ...SHARED,
          ...REPEATED,
          globalSetup: [POSTGRES, BROWSER],
          sequence: QUEUED,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        ...source,
        test: {
          name: 'e2e',
          ...withSuffix('e2e', ''),
          ...SHARED,
          ...REPEATED,
          globalSetup: [POSTGRES, BROWSER],
          ...PROCESSES,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
