import type { Random } from './random.ts'

/**
 * JSON text that no JavaScript value gives, such as 1e400, passes `JSON.stringify` as a marked string;
 * `toJsonText` removes the mark.
 */
const raw = (json: string) => `@@raw:${json}@@`
const RAW = /"@@raw:(.*?)@@"/g
export const toJsonText = (value: unknown): string => (JSON.stringify(value) ?? '').replace(RAW, '$1')

const ODD_NUMBERS: readonly unknown[] = [
  0,
  -1,
  1.5,
  -1.5,
  2 ** 31,
  2 ** 53,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  1e308,
  5e-324,
  ...['-0', '1e400', '-1e400', '1e-400', '9223372036854775807', '9223372036854775808', '2e0', '1.0'].map(raw),
  raw('1'.repeat(400)),
  raw(`0.${'0'.repeat(400)}1`),
]

const ODD_DATES: readonly string[] = [
  'infinity',
  '-infinity',
  'now',
  'today',
  'epoch',
  'allballs',
  '0000-00-00',
  '0000-00-00T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-14:00',
  '10000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '275761-01-01T00:00:00Z',
  '294277-01-01T00:00:00Z',
  '-004713-01-01T00:00:00Z',
  '2016-12-31T23:59:60Z',
  '2026-06-15T12:00:60Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:00:00+25:00',
  '2026-01-01T00:00:00+23:59',
  '2026-01-01t00:00:00z',
  '2026-01-01 00:00:00Z',
  '2026-01-01T00:00:00',
  '2026-01-01',
  '2026-01-01T00:00:00.1234567890123456789Z',
  '2026-01-01T00:00:00Z\n',
]

const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\t\n\r',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\udc00\ud800',
  '\uffff',
  '\ufeff',
  '\u202e',
  'e\u0301',
  'İ',
  'ﬃ',
  '👩‍👩‍👧‍👦',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  'true',
  '0',
  '-1',
  '1e400',
  '%',
  '_',
  '\\',
  '%_\\%',
  "'",
  "'; drop table users; --",
  '"',
  '`',
  '$1',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a template engine would take for its own
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  '../../../etc/passwd',
  '/dev/null',
  '#ggg',
  '#12345',
  'a@b',
  'a@b@c',
  '@',
  `${'a'.repeat(64)}`,
  `${'a'.repeat(65)}`,
  `${'a'.repeat(100)}`,
  `${'a'.repeat(101)}`,
  `${'é'.repeat(320)}`,
]

const nest = (depth: number): unknown => {
  let nested: unknown = 0
  for (let level = 0; level < depth; level += 1) nested = level % 2 === 0 ? [nested] : { a: nested }
  return nested
}

/** Parses own fields of these names: an object literal would set the prototype. */
const parse = (json: string): unknown => JSON.parse(json)

const ODD_SHAPES: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [{}],
  [null],
  [null, 1, 'a', {}, []],
  { '': '' },
  parse('{"__proto__":{"polluted":true}}'),
  parse('{"constructor":{"prototype":{"polluted":true}}}'),
  parse('[{"__proto__":{"polluted":true}}]'),
  parse('{"toJSON":1,"toString":1,"valueOf":1,"then":1}'),
  { length: -1 },
  { $ref: '#' },
  nest(29),
  nest(31),
  nest(33),
  nest(64),
  Array.from({ length: 2_000 }, (_, index) => index),
  Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`field_${index}`, index])),
]

const LARGE_CHARS = 1_000_000
/** The frequency of hostile values of a megabyte. */
const LARGE_EVERY = 60

/** Generates an invalid or unusual JSON value. Serialize it with `toJsonText`. */
export function hostileValue(random: Random): unknown {
  if (random.integer(1, LARGE_EVERY) === 1) return 'x'.repeat(LARGE_CHARS)
  return random.pick(random.pick<readonly unknown[]>([ODD_NUMBERS, ODD_DATES, ODD_TEXTS, ODD_SHAPES]))
}

/** Generates a hostile value for places that take only text, percent-encoded where possible. */
export function hostileText(random: Random): string {
  return random.pick([...ODD_TEXTS, ...ODD_DATES, '1.5', '0x10', '+1', '1e1', '9223372036854775808'])
}

/** Invalid segments of a path, as sent. None is a plain small number, which might be an id. */
export const HOSTILE_SEGMENTS: readonly string[] = [
  '',
  '.',
  '..',
  '..%2f',
  '%2e%2e%2f%2e%2e%2f',
  '..%5c',
  '%2F',
  'a%2Fb',
  '%00',
  'a%00b',
  '%ff',
  '%c0%ae',
  '%ed%a0%80',
  '%',
  '%zz',
  '%u0041',
  '%25',
  '%20',
  '+',
  ';a=b',
  'a;b',
  ':key',
  '*',
  '#',
  '?',
  '\u00ff\u00e9',
  '"',
  '{}',
  '0',
  '-1',
  '1.5',
  '1e1',
  '0x10',
  '+7',
  '007',
  '2147483647',
  '2147483648',
  '9223372036854775808',
  '9'.repeat(400),
  'NaN',
  'null',
  'undefined',
  'true',
  '__proto__',
  'constructor',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'urn:uuid:00000000-0000-0000-0000-000000000000',
  '%7B00000000-0000-0000-0000-000000000000%7D',
  '00000000000000000000000000000000',
  '00000000-0000-0000-0000-00000000000g',
  'a'.repeat(100),
  'a'.repeat(101),
  'a'.repeat(299),
  'a'.repeat(301),
  'a'.repeat(7_000),
  '%61'.repeat(100),
  '%F0%9F%98%80'.repeat(20),
]

/** A text above the parser's limit for all headers together (16 KiB). */
export const TOO_LONG = 'a'.repeat(20_000)
