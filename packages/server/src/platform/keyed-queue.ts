import { unavailable } from '../kernel/refusal.ts'

/**
 * Runs the tasks of one key one after another, in order, and those of different keys concurrently (a keyed
 * mutex).
 */
export interface KeyedQueue {
  /** Settles as the task does. Refuses with `unavailable` when too many are already waiting. */
  run<T>(key: string, task: () => Promise<T>): Promise<T>
  /** Returns the number of tasks of a key that wait for the one that runs. */
  waiting(key: string): number
}

/** The number of waiting tasks. A write takes about a millisecond, a login about 30. */
const WAITING_MAX = 1_000

interface Line {
  tail: Promise<unknown>
  length: number
}

export function createKeyedQueue(): KeyedQueue {
  const lines = new Map<string, Line>()
  return {
    async run(key, task) {
      const line = lines.get(key) ?? { tail: Promise.resolve(), length: 0 }
      if (line.length === WAITING_MAX) throw unavailable('The write queue is full. Try again in a moment.')
      lines.set(key, line)
      line.length += 1
      const current = line.tail.then(task)
      line.tail = current.catch(() => undefined)
      try {
        return await current
      } finally {
        line.length -= 1
        if (line.length === 0) lines.delete(key)
      }
    },
    waiting: (key) => Math.max(0, (lines.get(key)?.length ?? 0) - 1),
  }
}
