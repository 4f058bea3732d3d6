import { createRandom, seedOf } from '../../packages/server/test/fuzz/random.ts'
import { longestDelayMs } from '../harness/loop-delay.ts'
import type { HostileInput, HostileRequest } from './hostile-input.ts'
import type { HostilePlace } from './place.ts'

interface Server {
  readonly url: string
  readonly place: HostilePlace
}

interface Plan {
  readonly inputs: readonly HostileInput[]
  /** The number of sequences of each input. */
  readonly count: number
  readonly seed: number
  /** A longer gap is measured again: the machine may have been busy. */
  readonly gapMaxMs: number
}

export interface HostileGap {
  readonly input: string
  /** The number of the sequence, which with the seed repeats it. */
  readonly nth: number
  readonly request: string
  readonly status: number
  /** The longest delay of the event loop by this request. */
  readonly gapMs: number
}

/** The number of trials. The shortest gap counts. */
const TRIALS_MAX = 4

/** Sends each sequence of each input, and measures the longest gap of the event loop for each request. */
export async function measureInputs(server: Server, { inputs, ...plan }: Plan): Promise<HostileGap[]> {
  const gaps: HostileGap[] = []
  for (const [at, input] of inputs.entries()) {
    for (let nth = 0; nth < plan.count; nth += 1) {
      const random = createRandom(seedOf(plan.seed + at, nth))
      for (const request of input.create(random)) {
        const measured = await measure(server, request, plan.gapMaxMs)
        gaps.push({ input: input.name, nth, request: nameOf(request), ...measured })
      }
    }
  }
  return gaps
}

async function measure({ place, url }: Server, request: HostileRequest, gapMaxMs: number) {
  const { body, method } = request
  const address = url + place.fill(request.path)
  const headers = {
    ...place.headersOf(request),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const text = body === undefined ? {} : { body: place.fill(JSON.stringify(body)) }
  let status = 0
  let gapMs = Number.POSITIVE_INFINITY
  for (let trial = 0; trial < TRIALS_MAX && gapMs > gapMaxMs; trial += 1) {
    await longestDelayMs(url)
    status = await statusOf(address, { method, headers, ...text })
    gapMs = Math.min(gapMs, await longestDelayMs(url))
  }
  return { status, gapMs }
}

/** Returns 0 when the server closed the connection. */
async function statusOf(address: string, request: RequestInit): Promise<number> {
  try {
    const response = await fetch(address, request)
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

const nameOf = ({ as, method, path }: HostileRequest): string =>
  `${method} ${path.replace(/^.*:(env|project)_id\//, '')} as ${as}`
