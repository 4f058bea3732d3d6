import { BLANK, BYTE, ESCAPED, isHexAt, isWord, WORD } from './json-tokens.ts'

/** The position of a value in the text: its first byte, and the one after its last. */
export interface JsonSpan {
  readonly start: number
  readonly end: number
  /** The levels of nesting: 0 for a scalar, 1 for a list or object without nested ones. */
  readonly levels: number
  /** The bytes of white space between the tokens. */
  readonly blanks: number
}

/**
 * The callbacks of the check. The whole text is on level 0, the items of a list on level 1, their fields on
 * level 2.
 */
export interface JsonReader {
  /** Called when a list or an object begins on level 0 or 1. Returns false to end the check. */
  open(level: number, isList: boolean): boolean
  close(level: number): void
  /** Called for the name of a field on level 2, quotes included. */
  name(start: number, end: number): void
  /**
   * Called at the end of a value on level 2, or of a scalar on level 0 or 1. Returns false to end the check.
   */
  value(level: number, span: JsonSpan): boolean
}

/** The deepest level that is reported. Deeper values are only checked. */
const LEVELS = 2
/** The bytes that are checked in one step. */
const STEP_BYTES = 64 * 1024
/**
 * The longest number. Real reports have shorter ones, and a number is read in one step (RFC 8259, section 6).
 */
const WORD_MAX_BYTES = 2_000
/** The first code that need not be escaped in strings. */
const FIRST_PLAIN = 0x20
const LOWER_U = 0x75

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'end'
type Outcome = 'valid' | 'invalid' | 'ended'

/**
 * Checks a JSON text (RFC 8259) in one pass without building values, and reports the positions of its outer
 * values to `reader`. It yields between steps. `ended` means that the reader ended the check. The caller
 * checks that the bytes are UTF-8.
 */
export function* checkJson(bytes: Uint8Array, reader: JsonReader): Generator<void, Outcome> {
  const check = createCheck(bytes, reader)
  for (let until = STEP_BYTES; ; until += STEP_BYTES) {
    const outcome = check(Math.min(until, bytes.length))
    if (outcome) return outcome
    yield
  }
}

/**
 * Creates a function that checks the text up to about an index. It returns the outcome once that is known.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
function createCheck(bytes: Uint8Array, reader: JsonReader): (until: number) => Outcome | null {
  const containers = createContainers()
  let expected: Expected = 'value'
  let at = 0
  /** The start of the string that is being read, or -1. */
  let textStart = -1
  let isEnded = false

  const wantsValue = (): boolean => expected === 'value' || expected === 'value or end'

  function afterValue(): void {
    expected = containers.depth() === 0 ? 'end' : 'comma or end'
  }

  function scalar(start: number): void {
    const level = containers.depth()
    afterValue()
    if (level <= LEVELS && !reader.value(level, { start, end: at, levels: 0, blanks: 0 })) isEnded = true
  }

  /** Reads a string up to `until` or to its end. */
  function text(until: number): boolean {
    while (at < until) {
      const byte = bytes[at] ?? 0
      if (byte < FIRST_PLAIN) return false
      if (byte === BYTE.quote) return endText()
      if (byte === BYTE.backslash) {
        const letter = bytes[at + 1] ?? 0
        if (ESCAPED[letter] !== 1 || (letter === LOWER_U && !isHexAt(bytes, at + 2))) return false
        at += 1
      }
      at += 1
    }
    return true
  }

  function endText(): boolean {
    const start = textStart
    at += 1
    textStart = -1
    if (wantsValue()) scalar(start)
    else {
      if (containers.depth() === LEVELS) reader.name(start, at)
      expected = 'colon'
    }
    return true
  }

  function beginText(): boolean {
    if (expected === 'colon' || expected === 'comma or end' || expected === 'end') return false
    textStart = at
    at += 1
    return true
  }

  function open(isList: boolean): boolean {
    if (!wantsValue()) return false
    const level = containers.depth()
    if (level < LEVELS && !reader.open(level, isList)) isEnded = true
    containers.open(isList, at)
    expected = isList ? 'value or end' : 'name or end'
    at += 1
    return true
  }

  function close(isList: boolean): boolean {
    const mayEnd = expected === 'comma or end' || expected === (isList ? 'value or end' : 'name or end')
    if (!mayEnd || containers.isList() !== isList) return false
    at += 1
    containers.close()
    const level = containers.depth()
    afterValue()
    if (level < LEVELS) reader.close(level)
    else if (level === LEVELS && !reader.value(level, containers.lastSpan(at))) isEnded = true
    return true
  }

  function word(): boolean {
    if (!wantsValue()) return false
    const start = at
    while (WORD[bytes[at] ?? 0] === 1 && at - start <= WORD_MAX_BYTES) at += 1
    if (at - start > WORD_MAX_BYTES || !isWord(bytes, start, at)) return false
    scalar(start)
    return true
  }

  function token(): boolean {
    const byte = bytes[at] ?? 0
    if (BLANK[byte] === 1) {
      at += 1
      containers.blank()
      return true
    }
    switch (byte) {
      case BYTE.quote:
        return beginText()
      case BYTE.openList:
      case BYTE.openObject:
        return open(byte === BYTE.openList)
      case BYTE.closeList:
      case BYTE.closeObject:
        return close(byte === BYTE.closeList)
      case BYTE.comma:
        if (expected !== 'comma or end') return false
        expected = containers.isList() ? 'value' : 'name'
        at += 1
        return true
      case BYTE.colon:
        if (expected !== 'colon') return false
        expected = 'value'
        at += 1
        return true
      default:
        return word()
    }
  }

  return (until) => {
    while (at < until) {
      const isRight = textStart === -1 ? token() : text(until)
      if (!isRight) return 'invalid'
      if (isEnded) return 'ended'
    }
    if (at < bytes.length) return null
    return expected === 'end' ? 'valid' : 'invalid'
  }
}

const INITIAL_CONTAINERS = 64

/** The open lists and objects, with measures of the one on level 2. */
function createContainers() {
  /** By depth: 1 for a list. */
  let kinds = new Uint8Array(INITIAL_CONTAINERS)
  let depth = 0
  let deepest = 0
  let blanks = 0
  let start = 0
  let blanksBefore = 0
  return {
    depth: () => depth,
    isList: () => kinds[depth - 1] === 1,
    blank() {
      blanks += 1
    },
    open(isList: boolean, at: number) {
      if (depth === LEVELS) {
        start = at
        deepest = depth
        blanksBefore = blanks
      }
      if (depth === kinds.length) {
        const larger = new Uint8Array(2 * kinds.length)
        larger.set(kinds)
        kinds = larger
      }
      kinds[depth] = isList ? 1 : 0
      depth += 1
      if (depth > deepest) deepest = depth
    },
    close() {
      depth -= 1
    },
    /** The span of the list or object that has just ended on level 2. */
    lastSpan: (end: number): JsonSpan => ({
      start,
      end,
      levels: deepest - LEVELS,
      blanks: blanks - blanksBefore,
    }),
  }
}
