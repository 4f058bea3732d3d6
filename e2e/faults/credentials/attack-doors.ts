import { setTimeout as delay } from 'node:timers/promises'
import { callApi } from '../../harness/call-api.ts'
import { PATIENCE_MS } from '../../harness/within.ts'
import { assessGaps, measureGaps } from '../assess/measure-gaps.ts'
import type { FaultScale } from '../fault.ts'
import { countDescriptors, residentMb } from '../process-usage.ts'
import type { Place } from '../shared-server.ts'

/** A door, with the statuses of its requests. */
export type Door = (round: number) => Promise<readonly number[]>

/** The longest time of an honest request while the doors are attacked. */
const HONEST_MAX_MS = 3_000
/** The growth of the memory after the first round, and the descriptors of kept connections. */
const GROWN_MAX_MB = 150
const DESCRIPTORS_LEFT_MAX = 30

interface Attack {
  readonly doors: readonly Door[]
  readonly rounds: number
  readonly scale: FaultScale
  /** Closes the connections that the attackers keep. */
  readonly leave?: () => void
}

/**
 * Attacks each door in each round, after one round that gives the process its size. Meanwhile a flag is
 * written and read constantly. Afterwards the process must hold no connection of the attack, and not much
 * more memory.
 */
export async function attackDoors(place: Place, { doors, leave, rounds, scale }: Attack) {
  const broken: string[] = []
  const counts = new Map<number, number>()
  const descriptors = countDescriptors(place.pid)
  const attack = (door: Door, round: number) => async () => {
    for (const status of await door(round)) counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  const pieces = Array.from({ length: rounds }, (_, round) => doors.map((door) => attack(door, round))).flat()
  // A process that has just started has not grown to the size that any load gives it.
  if (scale === 'full') for (const door of doors) await door(rounds)
  const memory = residentMb(place.pid)
  let isOver = false
  const honest = writeHonestly(place, () => isOver)
  const watched = await measureGaps(place, pieces).finally(() => {
    isOver = true
  })
  const { failures, slowestMs } = await honest
  const gaps = assessGaps(watched, scale)
  if (failures.length > 0) broken.push(`honest requests returned ${failures.join(', ')}`)
  if (scale === 'full' && slowestMs > HONEST_MAX_MS) broken.push(`an honest request took ${slowestMs} ms`)
  for (const [status, count] of counts)
    if (status === 0 || (status >= 500 && status !== 503)) broken.push(`${count} requests returned ${status}`)
  leave?.()
  const left = await leftDescriptors(place.pid, descriptors + DESCRIPTORS_LEFT_MAX)
  if (left > descriptors + DESCRIPTORS_LEFT_MAX) broken.push(`${left} files are open, before ${descriptors}`)
  const after = residentMb(place.pid)
  if (scale === 'full' && after - memory > GROWN_MAX_MB)
    broken.push(`the memory grew by ${after - memory} MB`)
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return {
    times: `${total} requests`,
    seen: `${describe(counts)}; honest requests within ${slowestMs} ms; ${gaps.seen}; memory ${memory} MB before, ${after} after`,
    broken: [...broken, ...gaps.broken],
  }
}

async function writeHonestly({ environmentId, headers, url }: Place, isOver: () => boolean) {
  const failures: number[] = []
  let slowestMs = 0
  const path = `/api/environments/${environmentId}/flags`
  do {
    const started = performance.now()
    const body = { key: 'honest', is_enabled: true }
    const written = await callApi(url, 'POST', path, body, headers)
    const read = await callApi(url, 'GET', `${path}/honest`, undefined, headers)
    slowestMs = Math.max(slowestMs, Math.round(performance.now() - started))
    for (const { status } of [written, read]) if (status !== 200) failures.push(status)
    await delay(PAUSE_MS)
  } while (!isOver())
  return { failures, slowestMs }
}
const PAUSE_MS = 20

/** Waits until connections of the attack are closed; returns the open files. */
async function leftDescriptors(pid: number, wanted: number): Promise<number> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await delay(PAUSE_MS))
    if (countDescriptors(pid) <= wanted) break
  return countDescriptors(pid)
}

const describe = (counts: ReadonlyMap<number, number>): string =>
  [...counts]
    .sort(([left], [right]) => left - right)
    .map(([status, count]) => `${count} times ${status}`)
    .join(', ')
