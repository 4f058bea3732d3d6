/** Work that gives way to new connections. */
export interface Pace {
  /** Runs the work now, or after what came before it. */
  run(work: () => void): void
  /** A connection was accepted in this turn of the event loop; more may wait behind it. */
  connectionAccepted(): void
}

/** The event loop accepts one connection a turn. While it does, a piece of work runs every so many turns, so that none waits for ever. */
const TURNS_A_PIECE = 8

/**
 * Runs pieces of work in their order, at most `perTurn` in one turn of the event loop, and few while connections are being accepted: a
 * crowd that connects at once is accepted first, and a short request behind it does not wait for what the crowd asked for.
 */
export function createPace(perTurn: number): Pace {
  const waiting: (() => void)[] = []
  let isTurnBooked = false
  let isAccepting = false
  let turns = 0
  let started = 0

  function bookTurn(): void {
    if (isTurnBooked) return
    isTurnBooked = true
    setImmediate(nextTurn)
  }

  function nextTurn(): void {
    isTurnBooked = false
    turns += 1
    const few = turns % TURNS_A_PIECE === 0 ? 1 : 0
    const now = waiting.splice(0, isAccepting ? few : perTurn)
    isAccepting = false
    started = now.length
    if (started > 0 || waiting.length > 0) bookTurn()
    for (const work of now) work()
  }

  return {
    run(work) {
      bookTurn()
      if (started < perTurn && waiting.length === 0 && !isAccepting) {
        started += 1
        work()
      } else waiting.push(work)
    },
    connectionAccepted() {
      isAccepting = true
      bookTurn()
    },
  }
}
