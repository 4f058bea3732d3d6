import { countOf } from '../count-of.ts'
import { logInUnderGuesses } from '../credentials/log-in-under-guesses.ts'
import type { Fault } from '../fault.ts'

const ROUNDS = { short: 1, full: 10 }
const GUESSES_EACH = { short: 2, full: 15 }

export const fault: Fault = {
  group: 'credentials',
  title: 'Wrong logins from 60 addresses at once, again and again',
  promise: 'A login from another address succeeds within 3 s, and `/health` answers.',
  run: (stage, scale) =>
    logInUnderGuesses(stage, scale, {
      addresses: 60,
      guessesEach: GUESSES_EACH[scale],
      rounds: countOf(scale, ROUNDS),
      loginMs: 3_000,
    }),
}
