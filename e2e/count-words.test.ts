import { describe, expect, test } from 'vitest'
import { findWords } from '../scripts/count-words.mjs'

const namesIn = (text: string): string[] => findWords(text).map(({ name }) => name)

describe('count-words', () => {
  test('count-words finds a word in prose and in names, with its line', () => {
    expect(findWords('const a = 1\n// It tells b.')).toEqual([{ name: 'tell', line: 2 }])
    expect(namesIn('const toldEvent = judgeAll(askedFlag)')).toEqual(['tell', 'judge', 'ask'])
    expect(namesIn('interface ToldEvent {}')).toEqual(['tell'])
  })

  test('count-words finds British spelling, but not names of the API', () => {
    expect(namesIn('the catalogue of neighbours')).toEqual(['British spelling', 'British spelling'])
    expect(namesIn('second_factor_enrolment_required, behaviour, cancelled')).toEqual([])
  })

  test('count-words does not find a word inside another', () => {
    expect(namesIn('a task, a mask, an intelligent judgment, mendicant')).toEqual([])
  })

  test('count-words allows the Unix account nobody', () => {
    expect(namesIn("run as 'nobody'")).toEqual([])
    expect(namesIn('nobody sees it')).toEqual(['nobody, somebody'])
  })

  test('count-words finds a docstring without a subject in its first line only', () => {
    expect(namesIn('/** What a flag gives. */')).toEqual(['docstring without a subject'])
    expect(namesIn('/**\n * Whether it is on.\n */')).toEqual(['docstring without a subject'])
    expect(namesIn('/**\n * Returns the keys.\n * What follows is ignored.\n */')).toEqual([])
  })

  test('count-words finds a comment over 110 columns, but not a long statement', () => {
    expect(namesIn(`// ${'x'.repeat(110)}`)).toEqual(['comment over 110 columns'])
    expect(namesIn(`const text = '${'x'.repeat(110)}'`)).toEqual([])
  })

  test('count-words finds a space before a percent sign, but not a remainder', () => {
    const found = ['a rollout of 35 %', '{share} %</b>', 'suffix=" %"', '9\u00a0% of them']
    for (const text of found) expect(namesIn(text)).toEqual(['space before a percent sign'])
    for (const text of ['35%', 'a % b', '256 % LETTERS.length', '100 % count === 0'])
      expect(namesIn(text)).toEqual([])
  })

  test('count-words finds the verb log in, but not entries of a log', () => {
    expect(namesIn('Log in again, then log out')).toEqual(['log in, log out', 'log in, log out'])
    expect(namesIn('the login of burgee, the audit log in one file, sign in')).toEqual([])
  })
})
