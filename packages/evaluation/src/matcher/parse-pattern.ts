import { ASSERTIONS, type CharacterTest, CLASS, LITERAL, MATCH, SPLIT, type State } from './state.ts'

/** The most states of a pattern, the most copies of repeated parts, and the largest repetition. */
const LIMIT = 1000
const PATTERN_MAX_LENGTH = 256

const CHARACTER = String.raw`\\(?:[tnvfr]|x[\da-fA-F]{2}|[\0-/:-@[-\x60{-\x7f])|[^\\]`
const SINGLE = new RegExp(CHARACTER, 'uy')
const CLASS_ITEM = new RegExp(`\\\\([dDwWsS])|(${CHARACTER})(?:-(?!\\]|$)(${CHARACTER}|))?`, 'uy')
const PERL_CLASS = /\\([dDwWsS])/y
const ASSERTION = /[\^$]|\\[AzbB]/y
const GROUP = /\?(?::|P?<(\w+)>)/y
const REPETITION = /[*+?]|\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\}/y

/** Returns whether a text has more characters. Those beyond the basic plane are two units each. */
export const isLonger = (text: string, length: number) =>
  text.length > length && (text.length > 2 * length || [...text].length > length)

/** A part of a pattern: adds its states before a state that follows, and returns the first of them. */
type Part = (next: number) => number

/** The code point that a character of a pattern stands for. */
function codeOf(text: string): number {
  const letter = text[1]
  if (letter === 'x') return Number.parseInt(text.slice(2), 16)
  const blank = letter && text[0] === '\\' ? 'tnvfr'.indexOf(letter) : -1
  // Tab, line feed, vertical tab, form feed and return follow each other.
  return blank < 0 ? (text.codePointAt(text.length > 1 && text[0] === '\\' ? 1 : 0) as number) : 9 + blank
}

const hex = (code: number) => `\\u{${code.toString(16)}}`

/** A class of Perl in the syntax of the engine, whose blanks are others. */
const perlClass = (letter: string) =>
  letter === 's' ? '\\t\\n\\f\\r ' : letter === 'S' ? '\\0-\\x08\\v\\x0e-\\x1f!-\\u{10ffff}' : `\\${letter}`

/** The test of an expression of one character. The engine folds by the same tables of Unicode as RE2. */
function createTest(source: string, isFolded: boolean): CharacterTest {
  const expression = new RegExp(`[${source}]`, isFolded ? 'iu' : 'u')
  let last = -1
  let result = false
  return (code) => {
    // Every copy of a class requests the same character in turn.
    if (code === last) return result
    last = code
    result = expression.test(String.fromCodePoint(code))
    return result
  }
}

/**
 * Builds the automaton of a pattern in RE2 syntax (docs/reference/operators.md#patterns).
 *
 * @returns Its states, and the number of the first.
 * @throws RangeError with the number of a fault (`FAULTS`), and its place as the cause.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a parser, whose functions share the place
export function parsePattern(pattern: string): { states: readonly State[]; start: number } {
  const isFolded = pattern.startsWith('(?i)')
  const names = new Set<string>()
  let at = isFolded ? 4 : 0
  const states: State[] = []
  let copies = 0

  function fail(fault: number, cause = at): never {
    throw new RangeError(String(fault), { cause })
  }

  /** Takes what a sticky expression matches here. */
  function take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = at
    const found = expression.exec(pattern)
    if (found) at = expression.lastIndex
    return found
  }

  function takeText(text: string): boolean {
    const isHere = pattern.startsWith(text, at)
    if (isHere) at += text.length
    return isHere
  }

  function push(state: State): number {
    // The match itself does not count.
    if (states.length > LIMIT) fail(0, 0)
    return states.push(state) - 1
  }

  const add =
    (kind: number, code = 0, test: CharacterTest | null = null): Part =>
    (next) =>
      push({ kind, code, test, next, other: 0 })

  function split(next: number, other: number): number {
    return push({ kind: SPLIT, code: 0, test: null, next, other })
  }

  function alternatives(): Part {
    const parts: Part[] = []
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') parts.push(repeated())
    const first: Part = (next) => parts.reduceRight((following, part) => part(following), next)
    if (!takeText('|')) return first
    const second = alternatives()
    return (next) => split(first(next), second(next))
  }

  function repeated(): Part {
    const part = atom()
    const start = at
    const found = take(REPETITION)
    if (!found) return part
    const [text, number, comma, last] = found
    const least = Number(number ?? text === '+')
    const most = text === '?' ? 1 : comma || !number ? Number(last ?? Number.POSITIVE_INFINITY) : least
    if (least > Math.min(most, LIMIT) || Number(last ?? 0) > LIMIT) fail(4, start)
    // The shortest and the longest match are both a match.
    takeText('?')
    const again = at
    if (take(REPETITION)) fail(3, again)
    return repeat(part, least, most)
  }

  /** Every copy has its own states. Copies count too, because those of an empty part have no state. */
  function repeat(part: Part, least: number, most: number): Part {
    const copy: Part = (next) => (++copies > LIMIT ? fail(0, 0) : part(next))
    return (next) => {
      let first = next
      let count = least
      if (most === Number.POSITIVE_INFINITY) {
        const loop = split(next, next)
        const body = copy(loop)
        ;(states[loop] as State).next = body
        first = count-- > 0 ? body : loop
      } else for (let index = least; index < most; index++) first = split(copy(first), first)
      while (count-- > 0) first = copy(first)
      return first
    }
  }

  function atom(): Part {
    const start = at
    if (take(REPETITION)) fail(2, start)
    if (takeText('(')) return group(start)
    if (takeText('[')) return characterClass(start)
    if (takeText('.')) return add(CLASS, 0, createTest('^\\n', false))
    const assertion = take(ASSERTION)?.[0].at(-1)
    if (assertion) return add(ASSERTIONS[assertion] as number)
    const letter = take(PERL_CLASS)?.[1]
    if (letter) return consume(perlClass(letter))
    const [text] = take(SINGLE) ?? fail(1)
    const code = codeOf(text)
    const character = String.fromCodePoint(code)
    const hasCase = isFolded && character.toLowerCase() !== character.toUpperCase()
    return hasCase ? consume(hex(code)) : add(LITERAL, code)
  }

  const consume = (source: string) => add(CLASS, 0, createTest(source, isFolded))

  function group(start: number): Part {
    if (pattern[at] === '?') {
      const [, name] = take(GROUP) ?? fail(5, start)
      if (name && names.size === names.add(name).size) fail(6, start)
    }
    const part = alternatives()
    return takeText(')') ? part : fail(7, start)
  }

  function characterClass(start: number): Part {
    let source = takeText('^') ? '^' : ''
    for (let isFirst = true; isFirst || !takeText(']'); isFirst = false) {
      if (pattern.startsWith('[:', at) && pattern.includes(':]', at + 1)) fail(8)
      const place = at
      const [, letter, from = '', to] = take(CLASS_ITEM) ?? fail(at < pattern.length ? 1 : 9, start)
      if (to === '' || (to && codeOf(to) < codeOf(from))) fail(10, place)
      source += letter ? perlClass(letter) : `${hex(codeOf(from))}-${hex(codeOf(to ?? from))}`
    }
    return consume(source)
  }

  if (isLonger(pattern, PATTERN_MAX_LENGTH)) fail(12, 0)
  const whole = alternatives()
  if (at < pattern.length) fail(11)
  return { states, start: whole(add(MATCH)(0)) }
}
