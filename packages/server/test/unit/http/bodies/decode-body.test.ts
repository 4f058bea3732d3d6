import { describe, expect, it } from 'vitest'
import { decodeBody } from '../../../../src/http/bodies/decode-body.ts'

/** The bytes that are decoded in one turn. */
const STEP = 1024 * 1024
const CHARACTERS = ['x', 'é', '字', '👩', '\ufeff', '\0']

describe('a body of several steps', () => {
  it.each([0, 1, 2, 3, 4])('is decoded as in one, with %i bytes before its characters', async (before) => {
    for (const character of CHARACTERS) {
      const text = 'x'.repeat(STEP - 4 + before) + character.repeat(STEP / 2 + 7)
      expect((await decodeBody(Buffer.from(text))) === text, JSON.stringify(character)).toBe(true)
    }
  })

  it('loses the byte order mark at its start only', async () => {
    const text = `\ufeff${'x'.repeat(STEP - 3)}\ufeff${'x'.repeat(STEP)}`
    expect((await decodeBody(Buffer.from(text))) === text.slice(1)).toBe(true)
  })

  it.each([
    ['a byte that begins nothing', [0x80]],
    ['four bytes that continue nothing', [0x80, 0x80, 0x80, 0x80]],
    ['half a character', [0xf0, 0x9f]],
    ['half a pair', [0xed, 0xa0, 0x80]],
    ['a long form of a short character', [0xc0, 0xaf]],
  ])('is refused with %s at any place', async (_, wrong) => {
    for (const before of [STEP - 5, STEP - 2, STEP - 1, STEP, STEP + 1]) {
      const bytes = Buffer.concat([Buffer.alloc(before, 'x'), Buffer.from(wrong), Buffer.alloc(STEP, 'x')])
      await expect(decodeBody(bytes)).rejects.toThrow(TypeError)
    }
  })

  it('of no bytes is no text', async () => {
    expect(await decodeBody(new Uint8Array())).toBe('')
  })
})
