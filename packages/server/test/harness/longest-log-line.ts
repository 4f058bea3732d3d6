import type { TestServer } from './start-test-server.ts'

/** Returns the length of the longest line that the server has logged, in characters. */
export const longestLogLine = (server: Pick<TestServer, 'logged'>): number =>
  Math.max(
    ...server
      .logged()
      .split('\n')
      .map((line) => line.length),
  )
