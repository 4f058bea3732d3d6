import { classOf, DEAD, type KeyTrie, NO_KEY_BYTE, START } from './key-trie.ts'

/** A literal that names a flag. */
export interface Usage {
  readonly flag_key: string
  readonly line: number
  /** The line, cut to 200 characters. */
  readonly text: string
}

export interface FileUsages {
  readonly known: readonly Usage[]
  /** Keys that calls of SDKs name, and that no flag has. */
  readonly unknown: readonly Usage[]
}

const [DOUBLE, SINGLE, BACKTICK] = [0x22, 0x27, 0x60]
const LINE_BREAK = 0x0a
const KEY_MAX_LENGTH = 100
const TEXT_MAX_LENGTH = 200
/** The bytes of a line that are read for its text. */
const LINE_MAX_BYTES = 1_000

/**
 * The functions of SDKs whose first argument is a key, in lower case and without underscores: those of
 * Burgee, and of OpenFeature in its languages.
 */
const CALLS = new Set([
  ...['isenabled', 'getvariant', 'useflag', 'usevariant', 'useisenabled', 'isfeatureenabled'],
  ...['boolean', 'bool', 'string', 'number', 'integer', 'int', 'float', 'double', 'object'].flatMap(
    (type) => [
      `get${type}value`,
      `get${type}details`,
      `get${type}valueasync`,
      `get${type}detailsasync`,
      `${type}value`,
      `${type}valuedetails`,
      `use${type}flagvalue`,
      `use${type}flagdetails`,
    ],
  ),
])

/** Finds the string literals of a file that are keys of flags, in one pass over its bytes. */
export function findUsages(bytes: Uint8Array, keys: readonly string[], trie: KeyTrie): FileUsages {
  const known: Usage[] = []
  const unknown: Usage[] = []
  const lines = createLineCounter(bytes)
  const end = bytes.length
  let at = 0
  while (at < end) {
    const quote = bytes[at]
    at += 1
    if (quote !== DOUBLE && quote !== SINGLE && quote !== BACKTICK) continue
    const from = at
    let state = START
    for (; at < end; at += 1) {
      const byteClass = classOf(bytes[at] ?? 0)
      if (byteClass === NO_KEY_BYTE) break
      if (state !== DEAD) state = trie.step(state, byteClass)
    }
    // The byte that ended it may be the quote that begins the next literal.
    if (at === from || bytes[at] !== quote) continue
    const place = trie.keyAt(state)
    const flag_key = place >= 0 ? keys[place] : undefined
    if (flag_key !== undefined) known.push({ flag_key, ...lines.at(from) })
    else if (at - from <= KEY_MAX_LENGTH && isArgumentOfCall(bytes, from - 2))
      unknown.push({ flag_key: asText(bytes, from, at), ...lines.at(from) })
    at += 1
  }
  return { known, unknown }
}

/** Returns whether the bytes up to `at` end with the name of a function of an SDK and a bracket. */
function isArgumentOfCall(bytes: Uint8Array, at: number): boolean {
  let left = skipSpace(bytes, at)
  if (bytes[left] !== 0x28) return false
  left = skipTypeArguments(bytes, skipSpace(bytes, left - 1))
  const to = left + 1
  while (left >= 0 && to - left <= 40 && isIdentifier(bytes[left] ?? 0)) left -= 1
  return CALLS.has(
    asText(bytes, left + 1, to)
      .replaceAll('_', '')
      .toLowerCase(),
  )
}

const SPACES = [0x20, 0x09, 0x0a, 0x0d]
const LOOK_BACK_BYTES = 200

function skipSpace(bytes: Uint8Array, at: number): number {
  let left = at
  while (left >= 0 && at - left < LOOK_BACK_BYTES && SPACES.includes(bytes[left] ?? 0)) left -= 1
  return left
}

/** Skips `<T>` to the left. */
function skipTypeArguments(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== 0x3e) return at
  for (let left = at - 1; left >= 0 && at - left < LOOK_BACK_BYTES; left -= 1)
    if (bytes[left] === 0x3c) return left - 1
  return at
}

const isIdentifier = (byte: number): boolean => classOf(byte) !== NO_KEY_BYTE && byte !== 0x2d

/** Counts lines up to growing places. Each line break is looked for once. */
function createLineCounter(bytes: Uint8Array) {
  const breakAfter = (place: number): number => {
    const found = bytes.indexOf(LINE_BREAK, place)
    return found < 0 ? bytes.length : found
  }
  let line = 1
  let start = 0
  let end = breakAfter(0)
  return {
    at(place: number): { line: number; text: string } {
      while (end < place) {
        line += 1
        start = end + 1
        end = breakAfter(start)
      }
      const from = Math.max(start, place - LINE_MAX_BYTES / 2)
      return { line, text: cut(asText(bytes, from, Math.min(end, from + LINE_MAX_BYTES))) }
    },
  }
}

const cut = (text: string): string =>
  text.replaceAll('\0', ' ').trim().slice(0, TEXT_MAX_LENGTH).toWellFormed()

const DECODER = new TextDecoder()
const asText = (bytes: Uint8Array, from: number, to: number): string =>
  DECODER.decode(bytes.subarray(from, to))
