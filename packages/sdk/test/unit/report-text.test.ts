import { describe, expect, it } from 'vitest'
import { contextText, repair, userText, valueText } from '../../src/reporting/report-text.ts'

describe('values as text', () => {
  it.each([
    [true, 'true'],
    [false, 'false'],
    ['blue', 'blue'],
    ['', ''],
    [12, '12'],
    [null, 'null'],
    [{ a: [1] }, '{"a":[1]}'],
    [undefined, 'null'],
    [10n, 'null'],
  ])('the value %o is reported as %s', (value, text) => {
    expect(valueText(value)).toBe(text)
  })

  it('values are cut at 8,192 characters, never inside one', () => {
    expect(valueText('x'.repeat(9_000))).toBe('x'.repeat(8_192))
    expect(valueText(`${'x'.repeat(8_191)}🎏🎏`)).toBe(`${'x'.repeat(8_191)}🎏`)
    expect(valueText('🎏'.repeat(8_192))).toBe('🎏'.repeat(8_192))
  })
})

describe('user ids', () => {
  it.each([
    ['u1', 'u1'],
    ['', ''],
    [7, '7'],
    [null, null],
    [undefined, null],
    [{}, null],
  ])('the user key %o is reported as %o', (userKey, text) => {
    expect(userText(userKey)).toBe(text)
  })

  it('user ids are cut at 1,024 characters', () => {
    expect(userText('u'.repeat(2_000))).toBe('u'.repeat(1_024))
  })
})

describe('contexts', () => {
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic

  it.each([
    [{ plan: 'pro', n: [1, null] }, '{"plan":"pro","n":[1,null]}'],
    [null, 'null'],
    [undefined, 'null'],
    ['text', 'null'],
    [cyclic, 'null'],
    [{ big: 10n }, 'null'],
  ])('the context %o is reported as %s', (context, text) => {
    expect(contextText(context)).toBe(text)
  })

  it('a context over 8 KiB of UTF-8 is null', () => {
    const around = '{"a":""}'.length
    expect(contextText({ a: 'x'.repeat(8_192 - around) })).toHaveLength(8_192)
    expect(contextText({ a: 'x'.repeat(8_193 - around) })).toBe('null')
    expect(contextText({ a: 'é'.repeat(5_000) })).toBe('null')
  })
})

describe('text that the server cannot store', () => {
  it.each([
    ['NUL', '\0a', '\ufffda'],
    ['the first half of a pair', 'a\ud83cb', 'a\ufffdb'],
    ['the second half of a pair', 'a\udf8fb', 'a\ufffdb'],
    ['halves at the end', 'a\udf8f\ud83c', 'a\ufffd\ufffd'],
  ])('%s becomes U+FFFD, in keys too', (_title, text, repaired) => {
    expect(JSON.parse(repair(JSON.stringify({ [text]: text })))).toEqual({ [repaired]: repaired })
  })

  it.each(['🎏', '\\u0000', '\\\\u0000', '\\ud800', 'a\u0001\n"\\', 'ü\u2028\ufffd'])(
    '%j is not changed by repair',
    (text) => {
      expect(JSON.parse(repair(JSON.stringify([text])))).toEqual([text])
    },
  )
})
