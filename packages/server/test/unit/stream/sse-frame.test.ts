import { describe, expect, it } from 'vitest'
import type { StoredChange } from '../../../src/changes/index.ts'
import { createCast } from '../../../src/stream/cast.ts'
import type { Connection } from '../../../src/stream/connection.ts'
import { connectedFrame, readyFrame, toChunk, updateFrame } from '../../../src/stream/sse-frame.ts'
import { aWireFlag } from '../../harness/a-wire-flag.ts'

const ENVIRONMENT = '7a0c2c5e-5f2e-4d53-9d5c-6a1f1f0f7f10'
const upsert = (revision: number, key: string): StoredChange => ({
  kind: 'upsert',
  revision,
  flag_key: key,
  flag: aWireFlag({ key, description: 'words' }),
})

describe('a frame', () => {
  it('of connected names the environment and the reconnection time on key streams', () => {
    expect(connectedFrame(ENVIRONMENT)).toBe(
      `event: connected\ndata: {"environment_id":"${ENVIRONMENT}"}\nretry: 1000\n\n`,
    )
  })

  it('of connected carries null on session streams', () => {
    expect(connectedFrame(null)).toBe('event: connected\ndata: {"environment_id":null}\n\n')
  })

  it('of ready carries the flag count as text', () => {
    expect(readyFrame(12)).toBe('event: ready\ndata: 12\n\n')
  })

  it('of a deletion names the key', () => {
    const change: StoredChange = { kind: 'delete', revision: 7, flag_key: 'gone' }
    expect(updateFrame(ENVIRONMENT, change, 'server')).toBe(
      `event: update\ndata: {"type":"DELETE","env_id":"${ENVIRONMENT}","key":"gone"}\nid: 7\n\n`,
    )
    expect(updateFrame(ENVIRONMENT, change, 'session')).not.toContain('id:')
  })

  it('of a change that SDKs do not see is nothing', () => {
    expect(updateFrame(ENVIRONMENT, { kind: 'none', revision: 7, flag_key: 'f' }, 'server')).toBe('')
  })

  it('of a flag whose texts hold line breaks stays on one data line', () => {
    const flag = aWireFlag({ description: 'a\nb\r\ndata: c\u2028' })
    const frame = updateFrame(ENVIRONMENT, { kind: 'upsert', revision: 1, flag_key: 'f', flag }, 'server')
    expect(frame.split(/\r\n|\r|\n/)).toHaveLength(5)
  })
})

describe('HTTP chunks', () => {
  it('carry their length in hexadecimal', () => {
    expect(toChunk(Buffer.from('0123456789abcdef')).toString()).toBe('10\r\n0123456789abcdef\r\n')
  })

  it('are never empty: an empty one would end the answer', () => {
    expect(toChunk(Buffer.alloc(0))).toHaveLength(0)
  })
})

describe('a cast', () => {
  const reader = (audience: 'server' | 'client' | 'session') =>
    // The frames only read how a connection wants its bytes.
    ({ audience, chunked: false }) as Connection
  const changes = [upsert(4, 'a'), upsert(5, 'b'), upsert(6, 'c')]

  it('gives a connection only what is above its own revision', () => {
    const cast = createCast(ENVIRONMENT, changes)
    const keys = (revision: number) =>
      [
        ...cast
          .bytesFor(reader('server'), revision)
          .toString()
          .matchAll(/"key":"(\w)"/g),
      ].map((match) => match[1])
    expect([keys(3), keys(4), keys(5), keys(6)]).toEqual([['a', 'b', 'c'], ['b', 'c'], ['c'], []])
  })

  it('is encoded once for all that want the same', () => {
    const cast = createCast(ENVIRONMENT, changes)
    expect(cast.bytesFor(reader('server'), 3)).toBe(cast.bytesFor(reader('server'), 3))
    expect(cast.bytesFor(reader('client'), 3).toString()).not.toContain('words')
    expect(cast.bytesFor(reader('session'), 3).toString()).not.toContain('id:')
  })
})
