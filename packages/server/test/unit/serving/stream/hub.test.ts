import { describe, expect, it } from 'vitest'
import type { StoredChange } from '../../../../src/changes/index.ts'
import { systemClock } from '../../../../src/platform/clock.ts'
import type { Connection } from '../../../../src/serving/stream/connection.ts'
import { createHub } from '../../../../src/serving/stream/hub.ts'
import { aKeyActor } from '../../../harness/a-key-actor.ts'
import { aWireFlag } from '../../../harness/a-wire-flag.ts'
import { silentLog } from '../../../harness/silent-log.ts'

const change = (revision: number): StoredChange => ({
  kind: 'upsert',
  revision,
  flag_key: 'f',
  flag: aWireFlag(),
})

const COMMITTED = { source: 'own_write', atMs: 0, loggedAtMs: 0 } as const

/** Creates the parts of a connection that the hub uses, and records what it was sent. */
function aConnection(revision: number, send: (bytes: Buffer) => void) {
  const ended: boolean[] = []
  const connection = {
    actor: aKeyActor(),
    audience: 'server',
    coding: 'plain',
    revisions: new Map([['e', revision]]),
    onClose: () => undefined,
    send,
    end: () => ended.push(true),
  }
  return { connection: connection as unknown as Connection, ended }
}

const UNCOUNTED = { opened: () => undefined, closed: () => undefined }

describe('the hub', () => {
  it('the hub ends the streams of an environment whose change could not be sent, and continues with later ones', async () => {
    const hub = createHub({
      clock: systemClock,
      log: silentLog(),
      keyStreams: UNCOUNTED,
      onBroadcast: () => undefined,
    })
    const broken = aConnection(0, () => {
      throw new Error('cannot be sent')
    })
    hub.join(broken.connection)
    hub.broadcast('e', [change(1)], COMMITTED)
    await new Promise(setImmediate)
    expect(broken.ended).toEqual([true])
    hub.leave(broken.connection, 'e')

    const sent: string[] = []
    hub.join(aConnection(1, (bytes) => sent.push(bytes.toString())).connection)
    hub.broadcast('e', [change(2)], COMMITTED)
    await new Promise(setImmediate)
    hub.close()
    expect(sent.join('')).toContain('id: 2')
  })

  it('the hub reports when changes were written to the last of their sockets, and not when no stream lacked them', async () => {
    const broadcasts: unknown[] = []
    const sent: string[] = []
    const hub = createHub({
      clock: systemClock,
      log: silentLog(),
      keyStreams: UNCOUNTED,
      onBroadcast: (committed) => broadcasts.push({ committed, sockets: sent.length }),
    })
    hub.broadcast('e', [change(1)], COMMITTED)
    for (const revision of [1, 1, 2]) {
      hub.join(aConnection(revision, (bytes) => sent.push(bytes.toString())).connection)
    }
    hub.broadcast('e', [change(2)], COMMITTED)
    await new Promise(setImmediate)
    expect(broadcasts).toEqual([{ committed: [COMMITTED], sockets: 2 }])

    hub.broadcast('e', [change(2)], COMMITTED)
    await new Promise(setImmediate)
    hub.close()
    expect(broadcasts).toHaveLength(1)
  })

  it('the streams of a dropped environment get no further change, and end in turns', async () => {
    const hub = createHub({
      clock: systemClock,
      log: silentLog(),
      keyStreams: UNCOUNTED,
      onBroadcast: () => undefined,
    })
    const sent: unknown[] = []
    const streams = Array.from({ length: 1_000 }, () => aConnection(0, (bytes) => sent.push(bytes)))
    for (const { connection } of streams) hub.join(connection)
    hub.dropEnvironment('e', 'lost')
    const endedOf = () => streams.filter(({ ended }) => ended.length > 0).length
    expect(endedOf()).toBeLessThan(streams.length)
    hub.broadcast('e', [change(1)], COMMITTED)
    while (endedOf() < streams.length) await new Promise(setImmediate)
    expect(sent).toEqual([])
    expect(hub.isWatched('e')).toBe(false)
    hub.close()
  })

  it('the hub ends connections that join after it was closed', () => {
    const hub = createHub({
      clock: systemClock,
      log: silentLog(),
      keyStreams: UNCOUNTED,
      onBroadcast: () => undefined,
    })
    hub.close()
    const late = aConnection(0, () => undefined)
    hub.join(late.connection)
    expect(late.ended).toEqual([true])
  })
})
