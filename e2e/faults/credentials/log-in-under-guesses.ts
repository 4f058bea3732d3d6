import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import { callApi } from '../../harness/call-api.ts'
import { ADMIN } from '../../harness/start-server.ts'
import { inThousands } from '../assess/percentile.ts'
import type { FaultScale } from '../fault.ts'
import { floodLogins } from './flood-logins.ts'
import { probeHealth } from './probe-health.ts'

interface Siege {
  readonly addresses: number
  /** The first unused address. Those before it have used their failures of the minute. */
  readonly firstAddress: number
  readonly guessesEach: number
  readonly rounds: number
  /**
   * The longest time of a valid login. It is checked at the full scale only, because other tests share the
   * processors.
   */
  readonly loginMs: number
}

const LOGINS_A_ROUND = 3

/** Signs in repeatedly while password attempts of other addresses wait to be checked. */
export async function logInUnderGuesses(url: string, scale: FaultScale, siege: Siege) {
  const { addresses, firstAddress, guessesEach, loginMs, rounds } = siege
  const health = probeHealth(url)
  const broken: string[] = []
  const logins: number[] = []
  const statuses = new Map<number, number>()
  let mostOvertaken = 0
  for (let round = 0; round < rounds; round += 1) {
    const first = firstAddress + round * addresses
    const flood = floodLogins(url, { addresses, first, guessesEach })
    await eventually(() => flood.answered() > 0)
    for (let login = 0; login < LOGINS_A_ROUND; login += 1) {
      const answeredBefore = flood.answered()
      const started = performance.now()
      const { status } = await callApi(url, 'POST', '/api/auth/login', ADMIN, {})
      logins.push(performance.now() - started)
      mostOvertaken = Math.max(mostOvertaken, flood.answered() - answeredBefore)
      if (status !== 200) broken.push(`A valid login returned ${status}.`)
    }
    await flood.done
    for (const [status, count] of flood.answers) statuses.set(status, (statuses.get(status) ?? 0) + count)
  }
  const { failures, slowestMs } = await health.stop()
  const slowestLogin = Math.round(Math.max(...logins))
  // In one queue with all attempts the login would wait for nearly all of them; it must wait for at most one
  // of each address.
  if (mostOvertaken > (addresses + addresses * guessesEach) / 2)
    broken.push(`A login waited for ${mostOvertaken} of the guesses.`)
  if (failures > 0) broken.push(`/health failed ${failures} times.`)
  if (scale === 'full' && slowestLogin > loginMs) broken.push(`A login took ${slowestLogin} ms.`)
  const guesses = [...statuses].map(([status, count]) => `${inThousands(count)} with ${status}`).join(', ')
  return {
    times: `${inThousands(rounds * addresses * guessesEach)} guesses, ${logins.length} logins`,
    seen: `slowest login ${inThousands(slowestLogin)} ms, slowest /health ${inThousands(slowestMs)} ms; guesses: ${guesses}`,
    broken,
  }
}
