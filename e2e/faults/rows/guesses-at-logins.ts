import { countOf } from '../count-of.ts'
import { logInUnderGuesses } from '../credentials/log-in-under-guesses.ts'
import type { Fault } from '../fault.ts'
import { openPlace } from '../shared-server.ts'

const ROUNDS = { short: 1, full: 6 }
/** The number of concurrent attempts. */
const FROM_ONE = { short: 40, full: 300 }
const MANY_ADDRESSES = { short: 20, full: 60 }
const FROM_EACH = { short: 2, full: 15 }

export const fault: Fault = {
  group: 'credentials',
  title: 'Repeated failed logins: 300 at the same time from one address, then 15 from each of 60 addresses',
  promise:
    'A login from another address succeeds within 1 s during the guesses from one address, and within 3 s during those from 60. `/health` returns 200.',
  async run(_stage, scale) {
    const { url } = await openPlace()
    const rounds = countOf(scale, ROUNDS)
    const one = { addresses: 1, guessesEach: FROM_ONE[scale], loginMs: 1_000, firstAddress: 0 }
    const many = {
      addresses: MANY_ADDRESSES[scale],
      guessesEach: FROM_EACH[scale],
      loginMs: 3_000,
      firstAddress: rounds,
    }
    const under = {
      one: await logInUnderGuesses(url, scale, { ...one, rounds }),
      many: await logInUnderGuesses(url, scale, { ...many, rounds }),
    }
    return {
      times: `${under.one.times} from one address; ${under.many.times} from ${many.addresses}`,
      seen: `from one: ${under.one.seen}. From ${many.addresses}: ${under.many.seen}`,
      broken: [...under.one.broken, ...under.many.broken],
    }
  },
}
