import { classTest, perlClass, type Range } from './character-class.ts'
import { PatternError } from './pattern-error.ts'
import * as states from './program.ts'

const MAX_REPETITION = 1000
const REPETITION = /\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\}/y
const GROUP_NAME = /\?P?<(\w+)>/y
const HEX = /x([\da-f]{2})/iy
const ESCAPES: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 }
const ASSERTIONS: Readonly<Record<string, number>> = {
  A: states.BEGIN,
  z: states.END,
  b: states.BOUNDARY,
  B: states.NO_BOUNDARY,
}
const NEWLINE: Range = [10, 10]

/**
 * Parses a pattern in RE2 syntax (docs/reference/operators.md#patterns).
 *
 * @throws PatternError
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a parser, whose functions share the place
export function parsePattern(pattern: string): states.Part {
  const isFolded = pattern.startsWith('(?i)')
  const names = new Set<string>()
  let at = isFolded ? 4 : 0

  function fail(message: string, index = at): never {
    throw new PatternError(message, index)
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

  function takeCode(): number {
    const code = pattern.codePointAt(at) ?? fail('ends too early')
    at += code > 0xffff ? 2 : 1
    return code
  }

  function alternatives(): states.Part {
    let part = concatenation()
    while (takeText('|')) part = states.either(part, concatenation())
    return part
  }

  function concatenation(): states.Part {
    const parts: states.Part[] = []
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') parts.push(quantified())
    return states.sequence(parts)
  }

  function quantified(): states.Part {
    const start = at
    if (takeQuantifier()) fail('has nothing to repeat', start)
    const part = atom()
    const quantifier = takeQuantifier()
    if (!quantifier) return part
    // The shortest and the longest match are both a match.
    takeText('?')
    const again = at
    if (takeQuantifier()) fail('repeats a repetition', again)
    return states.repeat(part, ...quantifier)
  }

  function takeQuantifier(): [least: number, most: number] | null {
    if (takeText('*')) return [0, Number.POSITIVE_INFINITY]
    if (takeText('+')) return [1, Number.POSITIVE_INFINITY]
    if (takeText('?')) return [0, 1]
    const start = at
    const found = take(REPETITION)
    if (!found) return null
    const [, least, comma, most] = found
    const range: [number, number] = [
      Number(least),
      Number(comma ? (most ?? Number.POSITIVE_INFINITY) : least),
    ]
    const largest = Number(most ?? least)
    if (largest > MAX_REPETITION || range[0] > Math.min(range[1], MAX_REPETITION))
      fail(`repeats in a wrong order or more than ${MAX_REPETITION} times`, start)
    return range
  }

  function atom(): states.Part {
    const start = at
    const code = takeCode()
    switch (pattern[start]) {
      case '(':
        return group(start)
      case '[':
        return characterClass(start)
      case '.':
        return consume([NEWLINE], true)
      case '^':
        return states.state(states.BEGIN)
      case '$':
        return states.state(states.END)
      case '\\':
        return escaped(start)
      default:
        return literal(code)
    }
  }

  function group(start: number): states.Part {
    if (pattern[at] === '?' && !takeText('?:')) {
      const name = take(GROUP_NAME)?.[1] ?? fail('has an unsupported group', start)
      if (names.has(name)) fail('has a name of a group twice', start)
      names.add(name)
    }
    const part = alternatives()
    return takeText(')') ? part : fail('has an unclosed group', start)
  }

  function escaped(start: number): states.Part {
    const letter = pattern[at] ?? ''
    const assertion = ASSERTIONS[letter]
    const ranges = perlClass(letter, isFolded)
    if (assertion === undefined && !ranges) return literal(escapedCode(start))
    at++
    return ranges ? consume(ranges, false) : states.state(assertion as number)
  }

  /** The character behind a backslash. */
  function escapedCode(start: number): number {
    const found = take(HEX)
    if (found) return Number.parseInt(found[1] as string, 16)
    const code = takeCode()
    const letter = String.fromCodePoint(code)
    if (code < 128 && !/[\da-z]/i.test(letter)) return code
    return ESCAPES[letter] ?? fail('has an unsupported escape', start)
  }

  function characterClass(start: number): states.Part {
    const isNegated = takeText('^')
    const ranges: Range[] = []
    let isFirst = true
    while (isFirst || !takeText(']')) {
      if (at >= pattern.length) fail('has an unclosed class', start)
      isFirst = false
      if (pattern.startsWith('[:', at) && pattern.includes(':]', at + 1)) fail('has a class of POSIX')
      const named = pattern[at] === '\\' && perlClass(pattern[at + 1] ?? '', isFolded)
      if (named) {
        at += 2
        ranges.push(...named)
        continue
      }
      const first = at
      const from = classCode()
      const isRange = pattern[at] === '-' && at + 1 < pattern.length && pattern[at + 1] !== ']'
      if (isRange) at++
      const to = isRange ? classCode() : from
      if (to < from) fail('has a range in the wrong order', first)
      ranges.push([from, to])
    }
    return consume(ranges, isNegated)
  }

  function classCode(): number {
    const start = at
    const code = takeCode()
    return code === 92 ? escapedCode(start) : code
  }

  function literal(code: number): states.Part {
    const text = String.fromCodePoint(code)
    return isFolded && text.toLowerCase() !== text.toUpperCase()
      ? consume([[code, code]], false)
      : states.state(states.LITERAL, code)
  }

  function consume(ranges: readonly Range[], isNegated: boolean): states.Part {
    const test = classTest(ranges, isNegated, isFolded)
    return (program, next) => {
      const { classes } = program
      const index = classes.indexOf(test)
      return states.addState(program, states.CLASS, index < 0 ? classes.push(test) - 1 : index, next)
    }
  }

  const part = alternatives()
  if (at < pattern.length) fail('closes a group that is not open')
  return part
}
