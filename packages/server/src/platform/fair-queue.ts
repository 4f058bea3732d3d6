import { unavailable } from '../kernel/refusal.ts'

export interface Turn {
  /** Who asks, as limits count them: turns are given to them one after another. */
  readonly from: string
  /** Tasks of one account never run at the same time. */
  readonly account?: string
}

/** Runs a bounded number of tasks at once and lets each address have its turn, however many tasks another one sends. */
export interface FairQueue {
  /** Resolves or rejects as the task does; refuses with `unavailable` when too many tasks wait. */
  run<T>(turn: Turn, task: () => Promise<T>): Promise<T>
}

interface Waiting extends Turn {
  readonly start: () => void
  readonly refuse: (error: Error) => void
}

interface Limits {
  /** Tasks that run at once. */
  readonly concurrency: number
  /** Tasks that wait, of all addresses together. */
  readonly waitingMax: number
  /** What a refused caller is told to do. */
  readonly message: string
}

const RETRY_AFTER_SECONDS = 5

/**
 * When the queue is full, the newest task of the address with the most waiting tasks is refused: an address that floods the
 * queue crowds out itself.
 */
export function createFairQueue({ concurrency, message, waitingMax }: Limits): FairQueue {
  /** By address, in the order in which they have their turn. */
  const lines = new Map<string, Waiting[]>()
  const busyAccounts = new Set<string>()
  let running = 0
  let waiting = 0

  const refusal = () => unavailable(message, RETRY_AFTER_SECONDS)
  const isFree = ({ account }: Turn): boolean => account === undefined || !busyAccounts.has(account)

  function begin({ account }: Turn): void {
    running += 1
    if (account !== undefined) busyAccounts.add(account)
  }

  function end({ account }: Turn): void {
    running -= 1
    if (account !== undefined) busyAccounts.delete(account)
    while (running < concurrency) {
      const next = takeNext()
      if (!next) return
      begin(next)
      next.start()
    }
  }

  /** The first waiting task of the first address whose turn can begin; the address then goes to the end. */
  function takeNext(): Waiting | undefined {
    for (const [from, line] of lines) {
      const index = line.findIndex(isFree)
      const [next] = index === -1 ? [] : line.splice(index, 1)
      if (!next) continue
      lines.delete(from)
      if (line.length > 0) lines.set(from, line)
      waiting -= 1
      return next
    }
    return undefined
  }

  function makeRoom(from: string): void {
    if (waiting < waitingMax) return
    let longest = lines.get(from) ?? []
    for (const line of lines.values()) if (line.length > longest.length) longest = line
    if (longest === lines.get(from) || longest.length === 0) throw refusal()
    longest.pop()?.refuse(refusal())
    waiting -= 1
  }

  function wait(turn: Turn): Promise<void> {
    makeRoom(turn.from)
    return new Promise((start, refuse) => {
      const line = lines.get(turn.from) ?? []
      line.push({ ...turn, start, refuse })
      lines.set(turn.from, line)
      waiting += 1
    })
  }

  return {
    async run(turn, task) {
      if (running < concurrency && isFree(turn)) begin(turn)
      else await wait(turn)
      try {
        return await task()
      } finally {
        end(turn)
      }
    },
  }
}
