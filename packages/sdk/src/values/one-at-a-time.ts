/**
 * Returns a function that runs a task. While it runs, calls are one more run after it, however many they are.
 * Each call resolves when no run is due.
 */
export function oneAtATime(task: () => Promise<unknown>): () => Promise<void> {
  let isDue = false
  let running: Promise<void> | null = null

  async function runAll(): Promise<void> {
    try {
      while (isDue) {
        isDue = false
        await task()
      }
    } finally {
      running = null
    }
  }

  return () => {
    isDue = true
    running ??= runAll()
    return running
  }
}
