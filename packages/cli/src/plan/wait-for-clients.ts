import { setTimeout as sleep } from 'node:timers/promises'
import type { Propagation } from '@burgee/contract'
import type { CommandContext } from '../command-context.ts'
import { CommandError, usageError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import type { ApplyTarget } from './group-documents.ts'

/** The share of clients (0 to 1) that `--wait` waits for, and for how long. */
export interface Wait {
  readonly share: number
  readonly seconds: number
}

const POLL_MS = 500
const SECONDS_DEFAULT = 60
const SECONDS_MAX = 3_600
/** The number of missing clients that an error names. */
const MISSING_SHOWN = 5

/** Parses the options `--wait 95%` and `--wait-timeout 60`. Null without the first one. */
export function parseWait(share: string | undefined, seconds: string | undefined): Wait | null {
  const limit = seconds === undefined ? SECONDS_DEFAULT : Number(seconds)
  if (!Number.isInteger(limit) || limit < 1 || limit > SECONDS_MAX)
    throw usageError(`--wait-timeout ${seconds}: give whole seconds from 1 to ${SECONDS_MAX}.`)
  if (share === undefined) {
    if (seconds !== undefined) throw usageError('--wait-timeout needs --wait, such as --wait 95%.')
    return null
  }
  const percentage = /^\d{1,3}(?:\.\d{1,3})?%?$/.test(share) ? Number.parseFloat(share) : Number.NaN
  if (!(percentage > 0 && percentage <= 100))
    throw usageError(`--wait ${share}: give a percentage above 0 and up to 100, such as 95%.`)
  return { share: percentage / 100, seconds: limit }
}

/** Waits until a share of the clients of an environment has confirmed a revision. Throws when time is up. */
export async function waitForClients(
  context: CommandContext,
  { project, environment }: ApplyTarget,
  revision: number,
  wait: Wait,
): Promise<void> {
  const api = context.api()
  const input = { params: { env_id: environment.id }, query: { revision } }
  const name = `${project.slug}/${environment.slug}`
  const progress = context.progress(`Waiting for clients of ${name}`)
  const until = performance.now() + wait.seconds * 1_000
  try {
    for (;;) {
      const found = await api.call('getPropagation', input)
      if (found.share >= wait.share) return context.remark(`${name}: ${describeClients(found)}.`)
      if (performance.now() >= until) throw late(name, found, wait)
      progress.update(found.clients.current, found.clients.total)
      await sleep(POLL_MS)
    }
  } finally {
    progress.end()
  }
}

function describeClients({ revision, clients }: Propagation): string {
  const { current, total, unconfirmable } = clients
  const others = unconfirmable === 0 ? '' : `; ${unconfirmable} more do not confirm`
  return `${current} of ${total} clients that confirm have revision ${revision}${others}`
}

// The apply itself is done: the error states it, and which clients are missing.
function late(name: string, found: Propagation, { seconds }: Wait): CommandError {
  const missing = found.waiting
    .slice(0, MISSING_SHOWN)
    .map(
      ({ app, instance, revision }) =>
        `${app || 'a program without a name'} ${instance}: revision ${revision ?? 'unknown'}`,
    )
  return new CommandError(
    `${name}: applied, but after ${seconds} s only ${describeClients(found)}.`,
    EXIT.failed,
    missing,
  )
}
