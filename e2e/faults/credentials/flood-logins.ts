import { randomUUID } from 'node:crypto'
import { createSender, loopbackAddress } from './send-from.ts'

export interface LoginFlood {
  /** The number of responses so far, by status. */
  readonly answers: ReadonlyMap<number, number>
  readonly answered: () => number
  /** Resolves when all of them were answered. */
  readonly done: Promise<void>
}

/** Sends wrong passwords for accounts with random names, all at once, from the given number of addresses. */
export function floodLogins(
  url: string,
  { addresses, first, guessesEach }: { addresses: number; first: number; guessesEach: number },
): LoginFlood {
  const answers = new Map<number, number>()
  let answered = 0
  const senders = Array.from({ length: addresses }, (_, index) =>
    createSender(url, loopbackAddress(first + index)),
  )
  const guess = async (sender: (typeof senders)[number]): Promise<void> => {
    const body = { email: `${randomUUID()}@example.com`, password: 'a wrong guess' }
    const status = await sender.send({ method: 'POST', path: '/api/auth/login', body })
    answers.set(status, (answers.get(status) ?? 0) + 1)
    answered += 1
  }
  const sending = senders.flatMap((sender) => Array.from({ length: guessesEach }, () => guess(sender)))
  const done = Promise.all(sending).then(() => {
    for (const { close } of senders) close()
  })
  return { answers, answered: () => answered, done }
}
