import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutText, isLongerThan, repairJson } from '../../../../src/reporting/ingest/reported-text.ts'

const anyText = fc.string({ unit: 'binary' })

describe('cutting text', () => {
  it('cut text has at most so many characters, and starts with the same ones', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 20 }), (text, most) => {
        expect(cutText(text, most)).toBe([...text].slice(0, most).join(''))
        expect(isLongerThan(text, most)).toBe([...text].length > most)
      }),
    )
  })
})

describe('repairing JSON', () => {
  const unit = fc.oneof(
    fc.constantFrom(
      '\0',
      '\ud800',
      '\udbff',
      '\udc00',
      '\udfff',
      '\\',
      '"',
      'u0000',
      '\\u0000',
      '😀',
      'é',
      '\n',
    ),
    fc.string(),
  )
  const text = fc.array(unit, { maxLength: 12 }).map((parts) => parts.join(''))
  const repaired = (dirty: string) => dirty.toWellFormed().replaceAll('\0', '\ufffd')

  it('repaired JSON has U+FFFD for NUL and lone surrogates in any escape, and is otherwise equal', () => {
    const escapeAll = (json: string) =>
      json.replace(
        /[^\x20-\x7e]/g,
        (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
      )
    fc.assert(
      fc.property(text, text, (key, value) => {
        const plain = JSON.stringify({ [`k${key}`]: [value, 1] })
        for (const json of [plain, escapeAll(plain)]) {
          expect(JSON.parse(repairJson(json))).toEqual({ [`k${repaired(key)}`]: [repaired(value), 1] })
        }
      }),
    )
  })

  it.each(['[\\u0000]', '"\\ud8zz"', '"\\u00"', '{\\ud800:1}'])(
    'repairing does not make %s valid',
    (json) => {
      expect(() => JSON.parse(repairJson(json))).toThrow()
    },
  )
})
