import { describe, expect, test } from 'vitest'
import { checkPattern, compilePattern } from '../../src/index.ts'
import { compareWithReference, referencePattern } from './reference/random-pattern.ts'

const contains = (pattern: string, text: string) => compilePattern(pattern)(text)

describe('a pattern', () => {
  test.each<[string, string, boolean]>([
    ['', '', true],
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['^abc$', 'abc', true],
    ['abc$', 'abc\n', false],
    ['a.c', 'a\nc', false],
    ['a.c', 'a😀c', true],
    ['^.$', '😀', true],
    ['[^a]', '\n', true],
    ['[]a]', ']', true],
    ['[a-]', '-', true],
    ['a{,2}', 'a{,2}', true],
    ['a{2}', 'aba', false],
    ['a{2,3}$', 'aaaa', true],
    ['^(?:a|bc)+$', 'abca', true],
    ['\\bcat\\b', 'a cat.', true],
    ['\\bcat\\b', 'concat', false],
    ['(?P<year>\\d{4})-(?<month>\\d\\d)', 'on 2026-11', true],
    ['(?i)straße', 'STRAẞE', true],
    ['(?i)kelvin', '\u212aELVIN', true],
    ['(?i)[^k]', '\u212a', false],
    ['(?i)\\W', 'ſ', false],
    ['\\W', 'ſ', true],
    ['\\x41\\t', 'A\t', true],
    ['@example\\.com$', 'ann@example.com', true],
    ['@example\\.com$', 'ann@example.com.evil', false],
  ])('%j on %j is %j', (pattern, text, expected) => {
    expect(contains(pattern, text)).toBe(expected)
    expect(referencePattern(pattern)?.(text)).toBe(expected)
  })

  test.each<[string, number]>([
    ['(a', 0],
    ['a)', 1],
    ['ab[', 2],
    ['[b-a]', 1],
    ['*a', 0],
    ['a**', 2],
    ['a{2}{3}', 4],
    ['a{1001}', 1],
    ['a{3,2}', 1],
    ['(?=a)', 0],
    ['(?s).', 0],
    ['(?P<n>a)(?P<n>b)', 8],
    ['x\\1', 1],
    ['\\p{L}', 0],
    ['\\Qa\\E', 0],
    ['\\', 0],
    ['[[:alpha:]]', 1],
  ])('%j is refused at %j', (pattern, index) => {
    expect(checkPattern(pattern)).toMatchObject({ index, message: expect.stringMatching(/^\w/) })
  })

  test.each(['(?:(?:(?:a{50}){50}){50})', '(?:(?:(?:){1000}){1000}){1000}', '(?:a?){501}', 'a'.repeat(257)])(
    'a pattern that is too large is refused: %j',
    (pattern) => {
      expect(checkPattern(pattern)).toMatchObject({ index: 0 })
    },
  )

  test('a pattern may have 1,000 states and 256 characters', () => {
    expect(checkPattern('a{1000}')).toBe(null)
    expect(checkPattern('a'.repeat(256))).toBe(null)
    expect(checkPattern('😀'.repeat(256))).toBe(null)
  })

  test('a subject has at most 512 characters', () => {
    expect(contains('a', 'a'.repeat(512))).toBe(true)
    expect(contains('a', 'a'.repeat(513))).toBe(false)
    expect(contains('😀', '😀'.repeat(512))).toBe(true)
    expect(contains('😀', '😀'.repeat(513))).toBe(false)
  })

  test.each(['(a+)+$', '(a|aa)+$', '(.*)*x', '(a?){400}b', '.*foo.*bar.*', '(?:a|b|ab)*c'])(
    'a pattern that makes other engines slow ends: %s',
    (pattern) => {
      expect(contains(pattern, `${'a'.repeat(511)}!`)).toBe(false)
    },
  )
})

test.each(['(?i)(?:[éß]?){400}c|é.{9}x', '\\b[^a]+\\b.$', '^(?:é|ß)*é(?:é|ß){8}x'])(
  'a pattern matches what RE2 matches when more steps were taken than it remembers: %s',
  (pattern) => {
    const matches = compilePattern(pattern)
    const reference = referencePattern(pattern)
    for (let at = 0; at < 5_000; at++) matches(`a${String.fromCodePoint(0x400 + at)}`)
    let seed = 1
    const next = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed
    }
    for (let round = 0; round < 200; round++) {
      const text = Array.from({ length: next() % 40 }, () => 'éßSSxca 1'[next() % 9]).join('')
      expect([text, matches(text)]).toEqual([text, reference?.(text)])
    }
  },
)

test.each([
  '(?:[éß]?){470}c|é.{20}x',
  'é(?:S?){300}S{300}x',
  '(?:\\w{1,50} ){9}$',
  '(?:(?:[éS]+|[Sß]+|[aS]+)?){80}c|S.{15}x',
  '(?:\\b[^x]?|\\B){160}x',
  '(?:(?:(?:éS?|Sß?|.a?)+)+){50}x|S.{14}x',
  '(?:(?:a*b)*(?:S|é.)?){60}$',
])('a pattern of many states matches what RE2 matches: %s', (pattern) => {
  const matches = compilePattern(pattern)
  const reference = referencePattern(pattern)
  let seed = 1
  for (let round = 0; round < 40; round++) {
    const text = Array.from({ length: 60 }, () => {
      seed = (seed * 48_271) % 2_147_483_647
      return 'éßSSxca 1'[seed % (round % 2 ? 9 : 4)]
    }).join('')
    expect([text, matches(text)]).toEqual([text, reference?.(text)])
  }
})

test('random patterns match what RE2 matches', () => {
  compareWithReference(4000)
})
