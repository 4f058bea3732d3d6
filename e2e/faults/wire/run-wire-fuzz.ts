import { createRandom, seedOf } from '../../../packages/server/test/fuzz/random.ts'
import type { WireTarget } from './messages.ts'
import { planConnection } from './plan-connection.ts'
import { runConnection } from './run-connection.ts'

interface WireFuzz {
  readonly port: number
  readonly target: WireTarget
  readonly seed: number
  readonly from: number
  readonly connections: number
  /** The number of concurrent connections. */
  readonly lanes: number
}

/** Runs as many connections, and returns the problems of each; each can be run again by its number. */
export async function runWireFuzz({
  connections,
  from,
  lanes,
  port,
  seed,
  target,
}: WireFuzz): Promise<string[]> {
  const problems: string[] = []
  let next = from
  const lane = async () => {
    while (next < from + connections) {
      const number = next++
      const plan = planConnection(target, createRandom(seedOf(seed, number)))
      const found = await runConnection(port, plan)
      const names = plan.messages.map(({ name }) => name).join(', ')
      for (const problem of found)
        problems.push(`connection ${number} (${names}; ${plan.end.kind}): ${problem}`)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return problems
}
