/** The time for which a lane keeps its place while it waits for the turn of its environment. */
const TURN_WAIT_MS = 250

export interface Lanes {
  /**
   * Runs work of a lane. `takeTurn` waits for the turn of an environment and then runs what it is given,
   * which uses a connection of the database. At most so many run at a time, and others wait in order. A lane
   * that waits for its turn for long lets others run meanwhile, and goes first when it has its turn.
   */
  run<T>(takeTurn: <R>(work: () => Promise<R>) => Promise<R>, work: () => Promise<T>): Promise<T>
  /** Returns whether work waits for a connection. */
  hasWaiting(): boolean
}

/** Creates lanes that use at most `count` connections. */
export function createLanes(count: number): Lanes {
  const waiting: (() => void)[] = []
  let free = count

  async function take(isFirst: boolean): Promise<void> {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => (isFirst ? waiting.unshift(resolve) : waiting.push(resolve)))
  }

  function release(): void {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }

  return {
    hasWaiting: () => waiting.length > 0,
    async run(takeTurn, work) {
      await take(false)
      let isHeld = true
      const giveBack = () => {
        if (isHeld) release()
        isHeld = false
      }
      const timer = setTimeout(giveBack, TURN_WAIT_MS)
      try {
        return await takeTurn(async () => {
          clearTimeout(timer)
          if (!isHeld) await take(true)
          isHeld = true
          return work()
        })
      } finally {
        clearTimeout(timer)
        giveBack()
      }
    },
  }
}
