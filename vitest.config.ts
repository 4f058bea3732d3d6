import { defineConfig } from 'vitest/config'

/** Tests run against the sources, which every package's `exports` has under this condition. */
const source = {
  resolve: { conditions: ['burgee-source'] },
  ssr: { resolve: { conditions: ['burgee-source'] } },
}

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
          include: ['packages/*/test/unit/**/*.test.ts'],
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
          include: ['packages/*/test/integration/**/*.test.ts'],
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
          include: ['e2e/dashboard/**/*.test.ts'],
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
          include: ['e2e/*.test.ts'],
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
