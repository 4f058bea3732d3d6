import { defineConfig } from 'vitest/config'

/** Tests run against the sources: the condition below is the one that every package's `exports` maps to `src`. */
const source = {
  resolve: { conditions: ['burgee-source'] },
  ssr: { resolve: { conditions: ['burgee-source'] } },
}

export default defineConfig({
  test: {
    projects: [
      {
        ...source,
        test: {
          name: 'unit',
          include: ['packages/*/test/unit/**/*.test.ts'],
          environment: 'node',
        },
      },
      {
        ...source,
        test: {
          name: 'integration',
          include: ['packages/*/test/integration/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['packages/server/test/harness/global-setup.ts'],
          // Patience for a busy machine, not a limit that is tested: some tests start several processes beside others.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        ...source,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          environment: 'node',
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
