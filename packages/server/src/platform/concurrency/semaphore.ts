/** Lets `permits` pieces of work run at a time; the others wait in the order in which they came. */
export function createSemaphore(permits: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < permits) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The permit passes to the next one.
      if (next) next()
      else running -= 1
    }
  }
}
