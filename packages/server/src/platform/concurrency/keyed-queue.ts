import { unavailable } from '../../kernel/refusal.ts'

/**
 * Runs the tasks of one key one after another, in order, and those of different keys concurrently (a keyed
 * mutex).
 */
export interface KeyedQueue {
  /**
   * Settles as the task does. Refuses with `unavailable` when too many are already waiting. A task that is
   * `isAhead` goes before the waiting ones and is never refused: its caller sends the next one when this one
   * has ended, so that one of the others runs between the two.
   */
  run<T>(key: string, task: () => Promise<T>, options?: { readonly isAhead?: boolean }): Promise<T>
  /** Returns the number of tasks of a key that wait for the one that runs. */
  waiting(key: string): number
}

/** The number of tasks, with the one that runs. A write takes about a millisecond, a login about 30. */
const TASKS_MAX = 1_000

/** The tasks of a key that wait for the one that runs. */
interface Line {
  readonly ahead: (() => void)[]
  readonly others: (() => void)[]
}

export function createKeyedQueue(): KeyedQueue {
  const lines = new Map<string, Line>()

  async function waitIn({ ahead, others }: Line, isAhead: boolean): Promise<void> {
    if (!isAhead && ahead.length + others.length + 1 >= TASKS_MAX)
      throw unavailable('The write queue is full. Try again in a moment.')
    await new Promise<void>((resolve) => (isAhead ? ahead : others).push(resolve))
  }

  return {
    async run(key, task, { isAhead = false } = {}) {
      const found = lines.get(key)
      const line = found ?? { ahead: [], others: [] }
      if (found) await waitIn(found, isAhead)
      else lines.set(key, line)
      try {
        return await task()
      } finally {
        const next = line.ahead.shift() ?? line.others.shift()
        if (next) next()
        else lines.delete(key)
      }
    },
    waiting(key) {
      const line = lines.get(key)
      return line === undefined ? 0 : line.ahead.length + line.others.length
    },
  }
}

/** Returns the queue for work that runs within a task of a queue, and so has its turn already. */
export const inOwnTurn = ({ waiting }: KeyedQueue): KeyedQueue => ({ run: (_key, task) => task(), waiting })
