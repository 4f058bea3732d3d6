/** Runs the tasks of one key one after another, in the order they came; those of different keys side by side. */
export interface KeyedQueue {
  /** Resolves or rejects as the task does. */
  run<T>(key: string, task: () => Promise<T>): Promise<T>
}

export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>()
  return {
    run(key, task) {
      const previous = tails.get(key) ?? Promise.resolve()
      const current = previous.then(task, task)
      const tail = current
        .catch(() => undefined)
        .then(() => {
          if (tails.get(key) === tail) tails.delete(key)
        })
      tails.set(key, tail)
      return current
    },
  }
}
