import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { splitIntoChunks } from '../../../../src/platform/concurrency/split-into-chunks.ts'

const hashesOf = (bytes: Buffer) =>
  splitIntoChunks(bytes).map((chunk) => createHash('sha256').update(chunk).digest('hex'))

describe('splitting bytes into chunks', () => {
  it.each([0, 1, 2_047, 2_048, 2_049, 32_768, 32_769, 1_000_000])(
    'splitting %i bytes loses nothing and bounds each chunk',
    (length) => {
      const bytes = randomBytes(length)
      const chunks = splitIntoChunks(bytes)
      expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
      for (const chunk of chunks.slice(0, -1)) {
        expect(chunk.length).toBeGreaterThanOrEqual(2_048)
        expect(chunk.length).toBeLessThanOrEqual(32_768)
      }
    },
  )

  it('splitting equal bytes ends chunks at the maximum', () => {
    const lengths = splitIntoChunks(Buffer.alloc(100_000, 'x')).map(({ length }) => length)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(32_768)
  })

  it.each([
    ['changed in the middle', (text: string) => `${text.slice(0, 500_000)}!${text.slice(500_001)}`],
    ['with more at the start', (text: string) => `{"some":"more"}${text}`],
    ['with less at the end', (text: string) => text.slice(0, -10)],
  ])('splitting gives nearly the same chunks for a text %s', (_what, change) => {
    const text = randomBytes(500_000).toString('hex')
    const before = new Set(hashesOf(Buffer.from(text)))
    const changed = hashesOf(Buffer.from(change(text))).filter((hash) => !before.has(hash))
    expect(before.size).toBeGreaterThan(50)
    expect(changed.length).toBeLessThanOrEqual(3)
  })

  it('splitting gives the chunks of every earlier release, so that stored ones are found', () => {
    const bytes = Buffer.from(Array.from({ length: 40_000 }, (_, at) => (at * at * 31 + at) % 251))
    expect(splitIntoChunks(bytes).map(({ length }) => length)).toMatchInlineSnapshot(`
      [
        32768,
        7232,
      ]
    `)
  })
})
