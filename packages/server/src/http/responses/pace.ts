/** Work that yields to new connections. */
export interface Pace {
  /** Runs the work now, or after earlier work. */
  run(work: () => void): void
  /** Notes that a connection was accepted in this turn of the event loop; more may be waiting. */
  connectionAccepted(): void
}

/**
 * The turns between two pieces of work while connections are accepted, one in each turn, so that work is not
 * starved.
 */
const TURNS_A_PIECE = 64

/**
 * Runs pieces of work in order, at most `perTurn` in one turn of the event loop, and few while connections
 * are being accepted: a crowd that connects at once is accepted first, and a short request behind it does not
 * wait for the crowd's work.
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
