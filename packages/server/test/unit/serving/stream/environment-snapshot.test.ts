import { describe, expect, it } from 'vitest'
import { wholeBootstrap } from '../../../../src/serving/stream/bootstrap.ts'
import { createEnvironmentSnapshot } from '../../../../src/serving/stream/environment-snapshot.ts'
import { aWireFlag } from '../../../harness/a-wire-flag.ts'

const LARGE = 'x'.repeat(200_000)
const flagOf = (key: string, revision: number) => aWireFlag({ key, revision, description: LARGE })

const createSnapshot = (count: number, flagAt = flagOf) =>
  createEnvironmentSnapshot({
    environment_id: 'environment',
    project_id: 'project',
    revision: 1,
    flags: Array.from({ length: count }, (_, nth) => flagAt(`flag-${nth}`, 1)),
  })

async function bodyOf(snapshot: ReturnType<typeof createSnapshot>) {
  const body = await snapshot.body('server')
  const pieces: Buffer[] = []
  for await (const piece of body.pieces()) pieces.push(piece)
  return { body, text: String(Buffer.concat(pieces)) }
}

describe('the encodings of a snapshot', () => {
  it('a bootstrap keeps the flags of its revision when they change while it is sent', () => {
    const snapshot = createSnapshot(4)
    const bootstrap = snapshot.bootstrap('server', 'plain')
    const first = bootstrap.piece(0)
    snapshot.apply({ kind: 'upsert', flag_key: 'flag-3', flag: flagOf('flag-3', 2), revision: 2 })
    snapshot.apply({ kind: 'delete', flag_key: 'flag-2', revision: 3 })
    const text = String(wholeBootstrap(bootstrap))
    expect(text.startsWith(String(first))).toBe(true)
    expect([...text.matchAll(/"revision":(\d+)/g)].map(([, revision]) => revision)).toEqual([
      '1',
      '1',
      '1',
      '1',
    ])
    expect(text).toContain('event: ready\ndata: 4\n')
    expect(String(wholeBootstrap(snapshot.bootstrap('server', 'plain')))).toContain('event: ready\ndata: 3\n')
  })

  it('a body that was asked for before a change is whole, and one that is asked for later has the change', async () => {
    const snapshot = createSnapshot(20)
    const early = snapshot.body('server')
    snapshot.apply({ kind: 'upsert', flag_key: 'flag-3', flag: flagOf('flag-3', 2), revision: 2 })
    const [late, sameTime] = [snapshot.body('server'), snapshot.body('server')]
    expect((await early).revision).toBe(1)
    expect((await late).revision).toBe(2)
    expect(await sameTime).toBe(await late)
    expect(snapshot.knownBody('server')).toBe(await late)
  })

  it('what nothing asks for is forgotten where it is large, and is the same when it is made again', async () => {
    const snapshot = createSnapshot(10, (key, revision) =>
      aWireFlag({ key, revision, description: LARGE.repeat(10) }),
    )
    const before = await bodyOf(snapshot)
    const stream = wholeBootstrap(snapshot.bootstrap('server', 'chunked'))
    const packed = await before.body.gzip()
    snapshot.forgetUnused()
    expect(await before.body.gzip()).toBe(packed)
    snapshot.forgetUnused()
    expect(await before.body.gzip()).not.toBe(packed)
    expect(snapshot.knownBody('server')?.etag).toBe(before.body.etag)
    const after = await bodyOf(snapshot)
    expect(after.text).toBe(before.text)
    expect(wholeBootstrap(snapshot.bootstrap('server', 'chunked')).equals(stream)).toBe(true)
  })

  it('a flag without an encoding fails all readers of the bootstrap, none of which ends as if it were whole', () => {
    const snapshot = createSnapshot(3, (key, revision) =>
      aWireFlag({
        key,
        revision,
        description: LARGE,
        ...(key === 'flag-1' && { default_value: 1n as never }),
      }),
    )
    const bootstrap = snapshot.bootstrap('server', 'chunked')
    for (let reader = 0; reader < 2; reader += 1) {
      expect(() => wholeBootstrap(bootstrap)).toThrow(TypeError)
      expect(bootstrap.isReady(0)).toBe(false)
    }
  })

  it('flags stay in the order of their keys when some are added and deleted', () => {
    const snapshot = createSnapshot(3)
    for (const [nth, key] of ['z', 'a', 'flag-10', 'B'].entries())
      snapshot.apply({ kind: 'upsert', flag_key: key, flag: aWireFlag({ key }), revision: nth + 2 })
    snapshot.apply({ kind: 'delete', flag_key: 'flag-1', revision: 9 })
    const text = String(wholeBootstrap(snapshot.bootstrap('server', 'plain')))
    const keys = [...text.matchAll(/"key":"([^"]+)"/g)].map(([, key]) => key)
    expect(keys).toEqual(['B', 'a', 'flag-0', 'flag-10', 'flag-2', 'z'])
  })
})
