import type { ClientOptions } from '../client-options.ts'
import type { Platform } from '../platform.ts'
import { type Request, type ResponseError, timed } from '../request.ts'

/** The SDK and its version, as the server shows it. A test compares it with the package. */
export const SDK = 'js/0.1.0'
/** docs/stream-protocol.md#confirming */
const MAX_APPLIED = 50
const NOT_FOUND = 404

/** Confirms to the server what has been applied, where it requests that. */
export interface Acks {
  /** Sends a request that brings flags. */
  readonly request: Request
  /** Notes that the flags of the last response are in use, or an update with this id. */
  readonly applied: (id?: string) => void
  /** The id under which the server knows the client; absent for one without. */
  readonly client?: string | undefined
}

/**
 * Creates the confirmations. Browsers send none, because other origins would have to allow the header, and
 * neither do clients without timers. One that waits when the client is closed is still sent.
 */
export function createAcks(
  { clock, random }: Pick<Platform, 'clock' | 'random'>,
  request: Request,
  { appName = '', connection, instanceId = '' }: ClientOptions,
): Acks {
  const { crypto, location }: Partial<typeof globalThis> = globalThis
  // React Native has neither of them.
  const client = location || connection === 'manual' ? undefined : crypto?.randomUUID()
  const header = `id=${client}, app=${encodeURIComponent(appName)}, sdk=${SDK}, instance=${encodeURIComponent(instanceId)}`
  let spreadMs = 0
  let revision = 0
  let pending: [revision: number, atMs: number][] = []
  let isWaiting = false

  function read({ headers }: Response): void {
    const [spread, of] = headers.get('x-burgee-ack')?.split(';revision=') ?? []
    spreadMs = Number(spread) || 0
    revision = Number(of) || revision
  }

  function send(): void {
    isWaiting = false
    const nowMs = performance.now()
    const applied = pending.slice(-MAX_APPLIED).map(([of, atMs]) => [of, nowMs - atMs])
    pending = []
    const body = JSON.stringify({ client, applied })
    timed(clock, (signal) =>
      request('/sdk/ack', { method: 'POST', body, signal }, { 'Content-Type': 'application/json' }),
    ).then(read, ({ status }: Partial<ResponseError>) => {
      if (status === NOT_FOUND) spreadMs = 0
    })
  }

  return {
    client,
    async request(path, init, headers) {
      const response = await request(path, init, client ? { ...headers, 'X-Burgee-Client': header } : headers)
      read(response)
      return response
    },
    applied(id) {
      if (!spreadMs) return
      pending.push([Number(id) || revision, performance.now()])
      if (!isWaiting) clock.setTimer(send, random() * spreadMs)
      isWaiting = true
    },
  }
}
