import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createGunzip } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  type Bootstrap,
  createBootstrap,
  type OwnBootstrap,
  wholeBootstrap,
} from '../../../../src/serving/stream/bootstrap.ts'
import { createFlagLines } from '../../../../src/serving/stream/flag-lines.ts'
import { compressBootstrap, encodeFrames, GZIP_HEAD } from '../../../../src/serving/stream/stream-coding.ts'
import { aWireFlag } from '../../../harness/a-wire-flag.ts'

/** Returns the payload of HTTP chunks. */
function withoutChunks(bytes: Buffer): Buffer {
  const payloads: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.subarray(at, end).toString(), 16)
    payloads.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return Buffer.concat(payloads)
}

/** Decompresses parts as they arrive. Returns what is known after each. */
async function decode(parts: readonly Buffer[]): Promise<string[]> {
  const gunzip = createGunzip()
  let text = ''
  gunzip.on('data', (bytes) => {
    text += bytes
  })
  const after: string[] = []
  for (const part of parts) {
    await new Promise<void>((resolve) => gunzip.write(withoutChunks(part), () => resolve()))
    await new Promise((resolve) => setImmediate(resolve))
    after.push(text)
  }
  gunzip.destroy()
  return after
}

const bootstrapOf = (texts: readonly string[], failsAt = Number.POSITIVE_INFINITY): OwnBootstrap => ({
  isReady: () => false,
  prepare: async () => undefined,
  release: () => undefined,
  piece(index) {
    if (index === failsAt) throw new Error('no encoding')
    return texts[index] === undefined ? undefined : Buffer.from(texts[index])
  },
})

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

async function countKept(refs: readonly WeakRef<object>[]): Promise<number> {
  // A reference that was made or read in this turn is kept until its end.
  await new Promise((resolve) => setImmediate(resolve))
  collectGarbage()
  return refs.filter((ref) => ref.deref() !== undefined).length
}

async function piecesOf(bootstrap: Bootstrap): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  for (let index = 0; ; index += 1) {
    if (!bootstrap.isReady(index)) await bootstrap.prepare(index)
    const piece = bootstrap.piece(index)
    if (!piece) return pieces
    pieces.push(piece)
  }
}

describe('a compressed stream', () => {
  it('each part can be read as soon as it has arrived, whatever came before', async () => {
    const frames = ['event: a\n\n', 'x'.repeat(70_000), 'event: b\n\n'.repeat(50)]
    const parts = frames.map((frame) => encodeFrames('gzip', Buffer.from(frame)))
    const [head, ...after] = await decode([GZIP_HEAD, ...parts])
    expect(head).toBe('')
    expect(after).toEqual(frames.map((_, index) => frames.slice(0, index + 1).join('')))
  })

  it('frames above 64 KiB are stored, because compressing them would take long', () => {
    const large = Buffer.alloc(1024 * 1024, 'y')
    expect(encodeFrames('gzip', large).length).toBeGreaterThan(large.length)
    expect(encodeFrames('gzip', large.subarray(0, 64 * 1024)).length).toBeLessThan(1_000)
  })

  it('a few bytes are stored behind five others, without the state of a compressor', async () => {
    const frame = Buffer.from('event: ready\ndata: 10000\n\n')
    const part = encodeFrames('gzip', frame)
    expect(withoutChunks(part)).toEqual(Buffer.concat([Buffer.from([0, 26, 0, 229, 255]), frame]))
    expect(await decode([GZIP_HEAD, part, part])).toEqual(['', String(frame), String(frame).repeat(2)])
  })

  it('no frame is no part, which would end the response', () => {
    expect(encodeFrames('gzip', Buffer.alloc(0))).toHaveLength(0)
  })

  it('a bootstrap is compressed piece by piece, once for all its readers', async () => {
    const texts = ['one '.repeat(1_000), 'two '.repeat(1_000)]
    let read = 0
    const plain = bootstrapOf(texts)
    const bootstrap = compressBootstrap({
      ...plain,
      piece(index) {
        read += 1
        return plain.piece(index)
      },
    })
    const [pieces, others] = await Promise.all([piecesOf(bootstrap), piecesOf(bootstrap)])
    expect(others).toEqual(pieces)
    expect(read).toBe(texts.length + 1)
    const after = await decode([GZIP_HEAD, ...pieces])
    expect(after.at(-1)).toBe(texts.join(''))
    expect(Buffer.concat(pieces).length).toBeLessThan(300)
  })

  it('each plain piece is released once it is compressed, and the plain bootstrap after the last', async () => {
    const flags = Array.from({ length: 300 }, (_, nth) =>
      aWireFlag({ key: `flag-${nth}`, description: 'x'.repeat(nth === 7 ? 200_000 : 1_000) }),
    )
    const parts = {
      audience: 'server',
      chunked: false,
      flags,
      before: 'a',
      after: 'z',
      flagEnd: '\n',
    } as const
    const plainParts = () => ({ ...parts, lines: createFlagLines('environment') })
    const whole = wholeBootstrap(createBootstrap(plainParts())).toString()
    const kept: WeakRef<object>[] = []
    const openCompressed = () => {
      const plain = createBootstrap(plainParts())
      const watched: OwnBootstrap = {
        ...plain,
        piece(index) {
          const piece = plain.piece(index)
          if (piece) kept.push(new WeakRef(piece))
          return piece
        },
      }
      kept.push(new WeakRef(watched))
      return compressBootstrap(watched)
    }
    const bootstrap = openCompressed()
    for (let index = 0; index < 4; index += 1) await bootstrap.prepare(index)
    expect(await countKept(kept)).toBe(1)
    const pieces = await piecesOf(bootstrap)
    expect(kept.length).toBeGreaterThan(6)
    expect(await countKept(kept)).toBe(0)
    expect((await decode([GZIP_HEAD, ...pieces])).at(-1)).toBe(whole)
  })

  it('a bootstrap without a whole encoding is refused to each of its readers', async () => {
    const bootstrap = compressBootstrap(bootstrapOf(['one', 'two'], 1))
    await expect(piecesOf(bootstrap)).rejects.toThrow('no encoding')
    await expect(piecesOf(bootstrap)).rejects.toThrow('no encoding')
  })
})
