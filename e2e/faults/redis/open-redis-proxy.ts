import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { takeMessages } from './take-messages.ts'

/**
 * The condition. `dead`: connections end and new ones are refused. `lossy`: every other published message is
 * dropped. `slow`: each arrives 5 s late.
 */
export type RedisCondition = 'well' | 'dead' | 'lossy' | 'slow'

export interface RedisProxy {
  readonly url: string
  set(condition: RedisCondition): void
  /** Returns the number of published messages that were dropped or delayed so far. */
  disturbed(): number
}

const DELAY_MS = 5_000

/** Opens a proxy to a Redis on this machine that disturbs the messages of subscribers. */
export async function openRedisProxy(redisPort: number): Promise<RedisProxy> {
  const sockets = new Set<Socket>()
  let condition: RedisCondition = 'well'
  let messages = 0
  let disturbed = 0

  function forward(client: Socket, bytes: Buffer): void {
    const send = () => client.destroyed || client.write(bytes)
    messages += 1
    if (condition === 'well') send()
    else if (condition === 'slow') {
      disturbed += 1
      setTimeout(send, DELAY_MS).unref()
    } else if (messages % 2 === 0) send()
    else disturbed += 1
  }

  const server = createServer((client) => {
    if (condition === 'dead') return void client.destroy()
    const redis = connect(redisPort, '127.0.0.1')
    let rest: Buffer = Buffer.alloc(0)
    client.on('data', (bytes) => redis.write(bytes))
    redis.on('data', (bytes) => {
      const taken = takeMessages(Buffer.concat([rest, bytes]))
      rest = taken.rest
      client.write(taken.other)
      for (const message of taken.messages) forward(client, message)
    })
    for (const [own, other] of [
      [client, redis],
      [redis, client],
    ] as const) {
      sockets.add(own)
      own.on('error', () => own.destroy())
      own.on('close', () => {
        sockets.delete(own)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const dropAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    dropAll()
    server.close()
  })
  const address = server.address()
  return {
    url: `redis://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    set(next) {
      condition = next
      if (next === 'dead') dropAll()
    },
    disturbed: () => disturbed,
  }
}
