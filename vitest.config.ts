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

/** `npm test` sets it: `full`, `all` and `quick` are suites of their own, and anything else is the ordinary one. */
const SUITE = process.env.BURGEE_TEST_SUITE
/** What takes long by its nature: loops of kills, matrices, browsers on every page. */
const LONG = '*.full.test.ts'
/** More than the cores of a small machine: tests also wait, for timers and for other processes. */
const WORKERS = SUITE === 'all' ? 4 : 3
/** Beside all tests of units: the endpoints that everything else depends on. */
const QUICK = ['auth', 'changes', 'flags', 'segments', 'snapshot-shortcut', 'stream', 'projects']

const ofSuite = (folder: string, depth: string) => ({
  include: [`${folder}/${depth}${SUITE === 'full' ? LONG : '*.test.ts'}`],
  exclude: SUITE === 'full' || SUITE === 'all' ? [] : [`**/${LONG}`],
})

const integration =
  SUITE === 'quick'
    ? { include: QUICK.map((name) => `packages/server/test/integration/${name}.test.ts`) }
    : ofSuite('packages/*/test/integration', '**/')

/** One queue without waiting between its projects, so that no core is idle. */
const QUEUED = { groupOrder: 0 }

/** After the queue: they kill processes, or watch how long one is busy, and need most of the machine. */
const PROCESSES = [
  'crash',
  'faults',
  'hostile',
  'ingest-crash',
  'instances',
  'lifecycle',
  'longest-gaps',
  'scheduled-changes',
  'webhook-crash',
].map((name) => `e2e/${name}.full.test.ts`)
const PROCESS_WORKERS = 2
/** A row of the fault suite may take two minutes. */
const PROCESSES_LONGEST_S = 150

/** Last, since CI may run out of time: they build and fetch programs of other languages, helm and an image. */
const BUILDS_LONGEST_S = 240
const BUILDS = ['deploy-helm', 'deploy-image', 'examples', 'languages'].map(
  (name) => `e2e/${name}.full.test.ts`,
)

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
  setupFiles: ['./e2e/harness/skip-after-deadline.ts'],
  isolate: false,
  restoreMocks: true,
  unstubGlobals: true,
  // A busy machine may be late.
  expect: { poll: { timeout: 30_000 } },
}

const OF_E2E = ofSuite('e2e', '')

interface Files {
  readonly include: string[]
  readonly exclude?: string[]
}

/** A project of tests with whole programs. */
const endToEnd = (
  name: string,
  files: Files,
  sequence: { groupOrder: number },
  maxWorkers = WORKERS,
  longestS = 60,
) => ({
  ...source,
  test: {
    name,
    ...files,
    ...SHARED,
    ...REPEATED,
    globalSetup: [POSTGRES, BROWSER],
    sequence,
    maxWorkers,
    env: { BURGEE_TEST_LONGEST: String(longestS) },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})

export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    projects: [
      {
        ...source,
        resolve: { ...source.resolve, alias: DASHBOARD_MODULES },
        test: {
          name: 'unit',
          ...ofSuite('packages/*/test/unit', '**/'),
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
          ...ofSuite('e2e/dashboard', '**/'),
          ...SHARED,
          ...REPEATED,
          globalSetup: [POSTGRES, BROWSER],
          sequence: QUEUED,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      ...(SUITE === 'full' || SUITE === 'all'
        ? [
            endToEnd('e2e', { ...OF_E2E, exclude: [...PROCESSES, ...BUILDS] }, QUEUED),
            endToEnd(
              'e2e-processes',
              { include: PROCESSES },
              { groupOrder: 1 },
              PROCESS_WORKERS,
              PROCESSES_LONGEST_S,
            ),
            endToEnd('e2e-builds', { include: BUILDS }, { groupOrder: 2 }, WORKERS, BUILDS_LONGEST_S),
          ]
        : [endToEnd('e2e', OF_E2E, QUEUED)]),
    ],
  },
})
