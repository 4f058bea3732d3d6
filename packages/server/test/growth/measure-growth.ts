const SIZES = [1, 2, 4, 8].map((kib) => kib * 1024)
/** The size at which each attack is tried first. It is compared with a quarter only when that takes long. */
const LARGE = 4 * 1024
const QUARTER = LARGE / 4
/**
 * The allowed growth: four times the text takes four times as long for linear work, and sixteen times for
 * quadratic.
 */
const GROWTH_MAX = 10
/** The duration below which noise decides. A quadratic scan of 4 KB takes several times as long. */
const SIGNIFICANT_MS = 1
const RUNS = 5
/** The number of repetitions before a suspicion counts: a busy machine makes any one measurement long. */
const TRIALS = 6

export interface Attack {
  readonly name: string
  readonly text: (length: number) => string
}

export interface Growth {
  readonly attack: string
  /** By size of the text: the shortest of several runs. */
  readonly times: readonly string[]
}

/** Returns the first attack on which `work` grows faster than its length, or null. */
export function findGrowth(work: (text: string) => unknown, attacks: readonly Attack[]): Growth | null {
  const found = attacks.find((attack) => isSuspicious(work, attack))
  return found ? describe(work, found) : null
}

function isSuspicious(work: (text: string) => unknown, { text }: Attack): boolean {
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const large = shortestMs(work, text(LARGE), trial === 0 ? 1 : RUNS)
    if (large < SIGNIFICANT_MS) return false
    if (large < GROWTH_MAX * shortestMs(work, text(QUARTER), RUNS)) return false
  }
  return true
}

const describe = (work: (text: string) => unknown, { name, text }: Attack): Growth => ({
  attack: name,
  times: SIZES.map((size) => `${size} characters: ${shortestMs(work, text(size), RUNS).toFixed(2)} ms`),
})

function shortestMs(work: (text: string) => unknown, text: string, runs: number): number {
  let shortest = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now()
    work(text)
    shortest = Math.min(shortest, performance.now() - started)
  }
  return shortest
}
