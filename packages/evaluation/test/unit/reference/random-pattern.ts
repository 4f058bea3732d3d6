import fc from 'fast-check'
import { RE2JS } from 're2js'
import { expect } from 'vitest'
import { checkPattern, compilePattern } from '../../../src/index.ts'

const character = fc.constantFrom(
  'a',
  'b',
  'c',
  'A',
  'B',
  'k',
  'S',
  '0',
  '9',
  '_',
  ' ',
  '-',
  'é',
  'ſ',
  'K',
  'ß',
  '字',
  '😀',
)
const escaped = fc.constantFrom(
  ...[
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '\\.',
    '\\\\',
    '\\-',
    '\\x41',
    '\\xe9',
    '\\t',
    '\\n',
    '\\]',
    '\\v',
  ],
)
const classItem = fc.oneof(
  character,
  escaped,
  fc.constantFrom('a-c', 'A-Z', '0-5', 'é-字', '-', '^', '[', '.', '$', 'k-z', '!-~'),
)
const characterClass = fc
  .tuple(fc.constantFrom('[', '[^', '[', '[]'), fc.array(classItem, { minLength: 1, maxLength: 4 }))
  .map(([open, items]) => `${open}${items.join('')}]`)
const quantifier = fc.constantFrom(
  '*',
  '+',
  '?',
  '{2}',
  '{0,2}',
  '{1,}',
  '{3}',
  '*?',
  '+?',
  '??',
  '{1,2}?',
  '{0}',
)
const atom = fc.oneof(
  { weight: 6, arbitrary: character },
  { weight: 2, arbitrary: escaped },
  { weight: 2, arbitrary: characterClass },
  { weight: 1, arbitrary: fc.constantFrom('.', '^', '$', '\\b', '\\B', '\\A', '\\z', '()', '(?:)') },
)

const { part } = fc.letrec<{ part: string; group: string; piece: string }>((tie) => ({
  group: fc.tuple(fc.constantFrom('(', '(?:', '('), tie('part')).map(([open, inner]) => `${open}${inner})`),
  piece: fc
    .tuple(
      fc.oneof({ weight: 5, arbitrary: atom }, { weight: 2, arbitrary: tie('group') }),
      fc.option(quantifier),
    )
    .map(([one, times]) => one + (times ?? '')),
  part: fc.oneof(
    { maxDepth: 3 },
    fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
    fc.tuple(tie('part'), tie('part')).map((alternatives) => alternatives.join('|')),
  ),
}))
const valid = fc.tuple(fc.constantFrom('', '', '(?i)'), part).map((parts) => parts.join(''))
const junk = fc
  .array(
    fc.constantFrom(
      ...'()[]{}*+?|^$\\.,-:<>=!iPbdwzAQxa0123',
      '(?P<',
      '(?<n>',
      '{2,',
      '{,2}',
      '{1001}',
      '[[:',
      ':]',
    ),
    {
      maxLength: 10,
    },
  )
  .map((parts) => parts.join(''))

/** Copies of a part, whose states fill several words of bits. */
const repeated = fc
  .tuple(part, fc.constantFrom('{7}', '{0,40}', '{2,20}', '{9,}'), part)
  .map(([copied, times, last]) => `(?:${copied})${times}${last}`)

/** Mostly valid patterns of every construct, and texts of the same characters. */
const randomPattern = fc.oneof(
  { weight: 5, arbitrary: valid },
  { weight: 1, arbitrary: repeated },
  { weight: 1, arbitrary: junk },
)
const randomSubject = fc.string({
  unit: fc.oneof(character, fc.constantFrom('\n', '\t', 's', 'K', '.', ']')),
  maxLength: 12,
})

/** Returns the matches of another implementation; null for a pattern that it refuses. */
export function referencePattern(pattern: string): ((text: string) => boolean) | null {
  try {
    const compiled = RE2JS.compile(pattern)
    return (text) => compiled.matcher(text).find()
  } catch {
    return null
  }
}

/** RE2 has these, and the matcher refuses them. */
const UNSUPPORTED = /\\[pPQEaC\d]|\\x\{|\(\?|\[:|\{\d+/

/** Compares with another implementation of RE2 on random patterns. Limits of our own may refuse more. */
export function compareWithReference(numRuns: number): void {
  let compared = 0
  fc.assert(
    fc.property(randomPattern, fc.array(randomSubject, { minLength: 4, maxLength: 4 }), (pattern, texts) => {
      const reference = referencePattern(pattern)
      const problem = checkPattern(pattern)
      if (reference === null || problem) {
        expect(problem).not.toBe(null)
        if (reference) expect(pattern).toMatch(UNSUPPORTED)
        return
      }
      const matches = compilePattern(pattern)
      for (const text of texts) expect([text, matches(text)]).toEqual([text, reference(text)])
      compared++
    }),
    { numRuns },
  )
  expect(compared).toBeGreaterThan(numRuns / 2)
}
