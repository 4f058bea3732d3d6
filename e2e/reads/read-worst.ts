import { get } from 'node:http'
import type { Endpoint } from '@burgee/contract'
import { bearer, patchFlag } from '../harness/call-api.ts'
import { METRICS_TOKEN } from '../harness/loop-delay.ts'
import { SDK_KEY } from '../harness/start-server.ts'
import type { LargeWorld } from './open-large-world.ts'
import type { WorstRead } from './worst-reads.ts'

export interface ReadResult {
  /** 0 where the connection broke. */
  readonly status: number
  readonly bytes: number
}

/** Reads the response to a row of the table to its end. */
export async function readWorst(
  url: string,
  world: LargeWorld,
  endpoint: Endpoint,
  row: WorstRead,
): Promise<ReadResult> {
  if (row.isAfterChange) {
    const tags = [crypto.randomUUID()]
    await patchFlag(url, world.environment_id, 'ordinary-0', { tags }, world.admin)
  }
  return read(
    url + addressOf(world, endpoint, row),
    { ...credentialOf(world, row), ...row.headers },
    row.until,
  )
}

function addressOf(world: LargeWorld, endpoint: Endpoint, row: WorstRead): string {
  const { addresses = '', path } = endpoint
  const id = world.ids[addresses]
  const env_id = row.environment_id?.(world)
  const chosen = path
    .replace(':key', row.key ?? 'valued-0')
    .replace(':id', id === undefined ? ':id' : String(id))
    .replace(':env_id', env_id ?? ':env_id')
  const query = row.query?.(world)
  return world.pathOf({ ...endpoint, path: chosen }) + (query === undefined ? '' : `?${query}`)
}

function credentialOf(world: LargeWorld, { as }: WorstRead): Readonly<Record<string, string>> {
  if (as === 'server key') return bearer(SDK_KEY)
  return as === 'metrics token' ? bearer(METRICS_TOKEN) : world.admin
}

/** The end of a response that is kept to look for a text in it. */
const TAIL_LENGTH = 200

function read(
  address: string,
  headers: Readonly<Record<string, string>>,
  until?: string,
): Promise<ReadResult> {
  return new Promise((resolve) => {
    let bytes = 0
    const sent = get(address, { headers, agent: false }, (response) => {
      const { statusCode: status = 0 } = response
      let tail = ''
      response.on('data', (piece: Buffer) => {
        bytes += piece.length
        if (until === undefined) return
        const text = tail + piece.toString('latin1')
        tail = text.slice(-TAIL_LENGTH)
        if (text.includes(until)) response.destroy()
      })
      response.on('error', () => undefined)
      response.on('close', () => resolve({ status, bytes }))
    })
    sent.on('error', () => resolve({ status: 0, bytes }))
  })
}
