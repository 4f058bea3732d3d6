import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkJson } from '../../../../src/kernel/json/check-json.ts'
import { type ReportBounds, readReport } from '../../../../src/reporting/ingest/read-report.ts'
import { contextText, cutText, repairJson } from '../../../../src/reporting/ingest/reported-text.ts'
import { finish } from '../../../harness/finish.ts'

const bounds: ReportBounds = {
  items: 4,
  fields: new Set(['key', 'text', 'context']),
  textLength: 5,
  freeForm: { field: 'context', maxBytes: 40, maxDepth: 3 },
}

const read = (json: string | Buffer) => finish(readReport(Buffer.from(json), bounds))

const isJson = (json: string) => {
  const reader = { open: () => true, close: () => {}, name: () => {}, value: () => true }
  return finish(checkJson(Buffer.from(json), reader)) === 'valid'
}

/** Parses the whole text of a report first. */
function readWhole(json: string): unknown {
  const body: unknown = JSON.parse(repairJson(json))
  if (!Array.isArray(body)) return emptied(body)
  return body.map((item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return emptied(item)
    const known = Object.entries(item).filter(([name]) => bounds.fields.has(name))
    return Object.fromEntries(known.map(([name, value]) => [name, kept(name, value)]))
  })
}

function kept(name: string, value: unknown): unknown {
  if (typeof value === 'string') return cutText(value, bounds.textLength + 1)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return []
  if (name !== 'context') return {}
  return contextText(value, bounds.freeForm) === null ? null : value
}

function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return []
  switch (typeof value) {
    case 'string':
      return ''
    case 'number':
      return 0
    case 'boolean':
      return true
    default:
      return value === null ? null : {}
  }
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('\ud800', '\0', '😀😀😀😀😀😀😀', '"', '\\', 'ééééééé'),
)
const name = fc.oneof(fc.constantFrom('key', 'text', 'context', '__proto__'), text)
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false, 0, -0.5, 1e21, 1e-7),
    text,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(name, tie('json'), { maxKeys: 4 }),
  ),
}))
const item = fc.oneof({ weight: 5, arbitrary: fc.dictionary(name, json, { maxKeys: 5 }) }, json)
/** With unusual characters escaped or not, and with white space. */
const writings: readonly ((value: unknown) => string)[] = [
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, null, '\t '),
  (value) =>
    JSON.stringify(value).replace(
      /[^\x20-\x7e]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
]

/** True where two names of an object are the same once they are repaired. */
const hasEqualNames = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  const names = Object.keys(value)
  const repaired = new Set(names.map((one) => repairJson(JSON.stringify(one))))
  return repaired.size < names.length || Object.values(value).some(hasEqualNames)
}

describe('a large report', () => {
  it('a large report gives the same as parsing all of it', () => {
    fc.assert(
      fc.property(
        fc.oneof({ weight: 9, arbitrary: fc.array(item, { maxLength: 4 }) }, json),
        fc.constantFrom(...writings),
        (value, write) => {
          const written = write(value)
          fc.pre(!Array.isArray(value) || value.length <= bounds.items)
          fc.pre(!hasEqualNames(value))
          expect(read(written)).toEqual({ kind: 'report', body: readWhole(written) })
        },
      ),
    )
  })

  it('a large report is refused when it has too many items, whatever follows', () => {
    expect(read('[0,0,0,0,0 not read any more')).toEqual({ kind: 'too many items' })
    expect(read('[[],[],[],[],[[')).toEqual({ kind: 'too many items' })
    expect(read('[{},{},{},{}]')).toEqual({ kind: 'report', body: [{}, {}, {}, {}] })
  })

  it('a large report keeps the last of several fields of one name, in any notation', () => {
    expect(read('[{"key":"a","\\u006bey":"b"}]')).toEqual({ kind: 'report', body: [{ key: 'b' }] })
  })

  it('a large report bounds a context by all its fields, also those that a later one replaces', () => {
    expect(read('[{"context":{"\\ud800":{"key":[[]]},"\\u0000":[]}}]')).toEqual({
      kind: 'report',
      body: [{ context: null }],
    })
  })

  it.each([
    ['characters of one byte', 'x'],
    ['escapes', '\\u0041'],
    ['pairs of escapes', '\\ud83d\\ude00'],
    ['short escapes', '\\n'],
    ['characters of four bytes', '😀'],
    ['lone surrogates', '\\ud800'],
    ['a mixture', 'é\\\\\\ud83d\\ude00"'.replace('"', '\\"')],
  ])('a large report is cut before it is parsed: %s', (_, unit) => {
    for (const before of ['', 'x', 'xx', 'xxx', 'é', '\\n', '\\u0041']) {
      const written = `[{"text":"${before}${unit.repeat(500)}"}]`
      expect(read(written)).toEqual({ kind: 'report', body: readWhole(written) })
    }
  })

  it('a large report drops a context that is nested too deeply without parsing it', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(read(`[{"context":{"a":${deep}}}]`)).toEqual({ kind: 'report', body: [{ context: null }] })
  })
})

describe('the check of a JSON text', () => {
  const written = fc.tuple(json, fc.constantFrom(...writings)).map(([value, write]) => write(value))
  const spoilt = fc
    .tuple(
      written,
      fc.nat(),
      fc.constantFrom('', '"', '\\', ',', ':', '[', ']', '{', '}', '0', '-', 'e', '.', 'tru', '\n', '\u0001'),
    )
    .map(([json, place, piece]) => {
      const at = place % (json.length + 1)
      return json.slice(0, at) + piece + json.slice(at + (piece === '' ? 1 : 0))
    })

  it('the check of JSON agrees with the parser', () => {
    fc.assert(
      fc.property(fc.oneof(written, spoilt), (json) => {
        // Invalid UTF-8 never gets here.
        fc.pre(json.isWellFormed())
        expect(isJson(json)).toBe(parses(json))
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([
    '',
    ' ',
    '01',
    '-',
    '1.',
    '.5',
    '1e',
    '1e+',
    '+1',
    'nul',
    'truefalse',
    '"\\x"',
    '"\\u12g4"',
    '"\t"',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    '[1}',
    '1 2',
    '"a',
    '[',
    '{"a"}',
    '{"a":}',
    '\ufeff1',
    '\u00a01',
    '-0',
    '1E-05',
    '[ ]',
    '{ }',
    '"\\/"',
    '\r\n1\t',
  ])('the check of JSON agrees with the parser on %j', (json) => expect(isJson(json)).toBe(parses(json)))
})

function parses(json: string): boolean {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}
