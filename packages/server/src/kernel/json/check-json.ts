import { BLANK, BYTE, ESCAPED, isHexAt, isWord, WORD } from './json-tokens.ts'

/** A value of the text: from its first byte to behind its last. */
export interface JsonSpan {
  readonly start: number
  readonly end: number
  /** Levels of nesting: 0 for a text, number or word, 1 for a list or object without further ones in it. */
  readonly levels: number
  /** Bytes of white space between its tokens. */
  readonly blanks: number
}

/** What is told while the text is checked. The whole text is on level 0, the items of a list on level 1, their fields on level 2. */
export interface JsonReader {
  /** A list or an object begins on level 0 or 1. Returns false to end the check. */
  open(level: number, isList: boolean): boolean
  close(level: number): void
  /** The name of a field of level 2, quotes included. */
  name(start: number, end: number): void
  /** A value of level 2 has ended, or a text, number or word of level 0 or 1. Returns false to end the check. */
  value(level: number, span: JsonSpan): boolean
}

/** Values below it are checked and not reported. */
const LEVELS = 2
/** The text is checked so many bytes at a time. */
const STEP_BYTES = 64 * 1024
/** Of a number. No number that anybody reports is longer, and one step must not take longer than that (RFC 8259, section 6). */
const WORD_MAX_BYTES = 2_000
/** Below it, characters of a text must be escaped. */
const FIRST_PLAIN = 0x20
const LOWER_U = 0x75

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'end'
type Outcome = 'valid' | 'invalid' | 'ended'

/**
 * Checks a JSON text (RFC 8259) in one pass, without building values, and tells `reader` where its outer values stand; yields now and then.
 * `ended` means that the reader wanted no more. Whether the bytes are UTF-8 the caller knows.
 */
export function* checkJson(bytes: Uint8Array, reader: JsonReader): Generator<void, Outcome> {
  const check = createCheck(bytes, reader)
  for (let until = STEP_BYTES; ; until += STEP_BYTES) {
    const outcome = check(Math.min(until, bytes.length))
    if (outcome) return outcome
    yield
  }
}

/** Creates the function that checks the text up to an index, or a little further; it gives the outcome once that is known. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
function createCheck(bytes: Uint8Array, reader: JsonReader): (until: number) => Outcome | null {
  const containers = createContainers()
  let expected: Expected = 'value'
  let at = 0
  /** Of the text that is being read, or -1. */
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

  /** Up to `until`, or to the end of the text. */
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

/** The lists and objects that are open, and what is measured of the one on level 2. */
function createContainers() {
  /** 1 for a list, by depth. */
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
    /** What was the list or object that has just ended on level 2. */
    lastSpan: (end: number): JsonSpan => ({
      start,
      end,
      levels: deepest - LEVELS,
      blanks: blanks - blanksBefore,
    }),
  }
}
