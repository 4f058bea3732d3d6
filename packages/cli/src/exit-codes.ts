/** The exit codes of every command (docs/cli.md#exit-codes). */
export const EXIT = {
  /** Done, or there was nothing to do. */
  done: 0,
  failed: 1,
  /** The command line, a setting or a file is wrong. */
  usage: 2,
  /** A comparison found differences. */
  differences: 3,
  /** Change requests were opened: nothing is applied before their approval. */
  waits: 4,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
