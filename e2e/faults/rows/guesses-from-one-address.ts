import { countOf } from '../count-of.ts'
import { logInUnderGuesses } from '../credentials/log-in-under-guesses.ts'
import type { Fault } from '../fault.ts'

const ROUNDS = { short: 1, full: 20 }
const GUESSES = { short: 100, full: 300 }

export const fault: Fault = {
  group: 'credentials',
  title: '300 wrong logins in flight from one address, again and again',
  promise: 'A login from another address succeeds within 1 s, and `/health` answers.',
  run: (stage, scale) =>
    logInUnderGuesses(stage, scale, {
      addresses: 1,
      guessesEach: GUESSES[scale],
      rounds: countOf(scale, ROUNDS),
      loginMs: 1_000,
    }),
}
