import { describe, expect, it } from 'vitest'
import type { StoredChange } from '../../../../src/changes/index.ts'
import { createBroadcast } from '../../../../src/serving/stream/broadcast.ts'
import type { Connection } from '../../../../src/serving/stream/connection.ts'
import { connectedFrame, readyFrame, toChunk, updateFrame } from '../../../../src/serving/stream/sse-frame.ts'
import { aWireFlag } from '../../../harness/a-wire-flag.ts'

const ENVIRONMENT = '7a0c2c5e-5f2e-4d53-9d5c-6a1f1f0f7f10'
const upsert = (revision: number, key: string): StoredChange => ({
  kind: 'upsert',
  revision,
  flag_key: key,
  flag: aWireFlag({ key, description: 'words' }),
})

describe('frames of a stream', () => {
  it('the frame of connected has the environment and the reconnection time on key streams', () => {
    expect(connectedFrame(ENVIRONMENT)).toBe(
      `event: connected\ndata: {"environment_id":"${ENVIRONMENT}"}\nretry: 1000\n\n`,
    )
  })

  it('the frame of connected has null on session streams', () => {
    expect(connectedFrame(null)).toBe('event: connected\ndata: {"environment_id":null}\n\n')
  })

  it('the frame of ready has the flag count as text', () => {
    expect(readyFrame(12)).toBe('event: ready\ndata: 12\n\n')
  })

  it('the frame of a deletion has the key', () => {
    const change: StoredChange = { kind: 'delete', revision: 7, flag_key: 'gone' }
    expect(updateFrame(ENVIRONMENT, change, 'server')).toBe(
      `event: update\ndata: {"type":"DELETE","env_id":"${ENVIRONMENT}","key":"gone"}\nid: 7\n\n`,
    )
    expect(updateFrame(ENVIRONMENT, change, 'session')).not.toContain('id:')
  })

  it('a change that SDKs do not see has no frame', () => {
    expect(updateFrame(ENVIRONMENT, { kind: 'none', revision: 7, flag_key: 'f' }, 'server')).toBe('')
  })

  it('the frame of a flag with line breaks has one data line', () => {
    const flag = aWireFlag({ description: 'a\nb\r\ndata: c\u2028' })
    const frame = updateFrame(ENVIRONMENT, { kind: 'upsert', revision: 1, flag_key: 'f', flag }, 'server')
    expect(frame.split(/\r\n|\r|\n/)).toHaveLength(5)
  })
})

describe('HTTP chunks', () => {
  it('HTTP chunks have their length in hexadecimal', () => {
    expect(toChunk(Buffer.from('0123456789abcdef')).toString()).toBe('10\r\n0123456789abcdef\r\n')
  })

  it('HTTP chunks are never empty, because an empty one would end the response', () => {
    expect(toChunk(Buffer.alloc(0))).toHaveLength(0)
  })
})

describe('a cast of frames', () => {
  const reader = (audience: 'server' | 'client' | 'session') =>
    // The frames only read how a connection wants its bytes.
    ({ audience, coding: 'plain' }) as Connection
  const changes = [upsert(4, 'a'), upsert(5, 'b'), upsert(6, 'c')]

  it('a cast gives a connection only frames above its own revision', () => {
    const broadcast = createBroadcast(ENVIRONMENT, changes)
    const keys = (revision: number) =>
      [
        ...broadcast
          .bytesFor(reader('server'), revision)
          .toString()
          .matchAll(/"key":"(\w)"/g),
      ].map((match) => match[1])
    expect([keys(3), keys(4), keys(5), keys(6)]).toEqual([['a', 'b', 'c'], ['b', 'c'], ['c'], []])
  })

  it('a cast is encoded once for all connections that want the same', () => {
    const broadcast = createBroadcast(ENVIRONMENT, changes)
    expect(broadcast.bytesFor(reader('server'), 3)).toBe(broadcast.bytesFor(reader('server'), 3))
    expect(broadcast.bytesFor(reader('client'), 3).toString()).not.toContain('words')
    expect(broadcast.bytesFor(reader('session'), 3).toString()).not.toContain('id:')
  })
})
