import { Redis } from 'ioredis'
import type { Log } from '../log/log.ts'
import type { Bus } from './bus.ts'
import { createHintListeners } from './hint-listeners.ts'
import { createHintOutbox } from './hint-outbox.ts'
import { readHints, writeHints } from './hint-text.ts'

const CHANNEL = 'burgee:hints'
const FIRST_RETRY_MS = 50
const LAST_RETRY_MS = 2_000
const CONNECT_TIMEOUT_MS = 5_000

/**
 * Creates the bus over Redis pub/sub. It starts while Redis is down and reconnects for ever; hints published
 * meanwhile are dropped. It logs one line when the connection is established and one when it is lost.
 */
export function createRedisBus(deps: { log: Log }, input: { redisUrl: string }): Bus {
  const listeners = createHintListeners(deps.log)
  const options = {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResubscribe: false,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: (attempt: number) =>
      Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempt - 1, 10), LAST_RETRY_MS),
  }
  const publisher = new Redis(input.redisUrl, options)
  const subscriber = new Redis(input.redisUrl, options)

  // The 'close' handler below reports it. Without this listener the library prints each failed attempt.
  publisher.on('error', () => undefined)
  subscriber.on('error', () => undefined)
  subscriber.on('ready', () => void subscriber.subscribe(CHANNEL).catch(() => subscriber.disconnect(true)))
  subscriber.on('message', (_channel, message) => listeners.notify(readHints(message)))
  logStateChanges(subscriber, deps.log)

  const outbox = createHintOutbox(async (hints) => {
    if (publisher.status !== 'ready') return
    await Promise.all(writeHints(hints).map((message) => publisher.publish(CHANNEL, message)))
  })

  return {
    publish: (hint) => outbox.add(hint),
    subscribe: (listener) => listeners.add(listener),
    async close() {
      // Disconnecting first fails a publish that Redis would never acknowledge.
      subscriber.removeAllListeners('close').disconnect()
      publisher.disconnect()
      await outbox.close()
    },
  }
}

function logStateChanges(redis: Redis, log: Log): void {
  let state: 'unknown' | 'up' | 'down' = 'unknown'
  redis.on('ready', () => {
    if (state !== 'up') log.info('Redis carries the change hints')
    state = 'up'
  })
  redis.on('close', () => {
    if (state !== 'down') log.warn('Redis is unavailable: changes of other instances arrive by polling')
    state = 'down'
  })
}
