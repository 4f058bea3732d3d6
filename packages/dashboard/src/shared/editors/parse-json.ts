import type { JsonValue } from '@burgee/evaluation'

/** The position at which a text stops being JSON, counted from 1 as people do. */
export interface JsonMistake {
  readonly line: number
  readonly column: number
  /** A phrase such as `a comma is missing`. */
  readonly message: string
}

export type ParsedJson =
  | { readonly isValid: true; readonly value: JsonValue }
  | { readonly isValid: false; readonly mistake: JsonMistake }

/** Reads JSON; where it is none, states in plain words where and why, alike in every browser. */
export function parseJson(text: string): ParsedJson {
  try {
    return { isValid: true, value: JSON.parse(text) }
  } catch {
    return { isValid: false, mistake: findMistake(text) }
  }
}

/** `Line 3: a comma is missing`. */
export const describeMistake = ({ line, column, message }: JsonMistake): string =>
  `Line ${line}, column ${column}: ${message}.`

class Stop extends Error {
  readonly at: number

  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

function findMistake(text: string): JsonMistake {
  const { at, message } = firstStop(text)
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message }
}

function firstStop(text: string): { readonly at: number; readonly message: string } {
  try {
    const end = skipBlank(text, skipValue(text, skipBlank(text, 0)))
    return { at: end, message: 'there is something behind the end of the value' }
  } catch (error) {
    if (error instanceof Stop) return error
    // Nested deeper than the stack is.
    return { at: 0, message: 'this is no JSON that can be read' }
  }
}

const skipBlank = (text: string, at: number): number => matchAt(/[ \t\r\n]*/y, text, at) ?? at

function skipValue(text: string, at: number): number {
  const sign = text[at]
  if (sign === undefined) throw new Stop(at, 'a value is missing')
  if (sign === '{') return skipObject(text, at)
  if (sign === '[') return skipArray(text, at)
  if (sign === '"') return skipText(text, at)
  const end = matchAt(/(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y, text, at)
  if (end !== undefined) return end
  throw new Stop(at, wrongValue(text.slice(at, at + 40)))
}

function wrongValue(rest: string): string {
  if (rest.startsWith("'")) return 'texts stand in double quotes ("), not in single ones (\')'
  if (/^[}\]]/.test(rest)) return 'a value is missing, or the comma before is one too many'
  if (rest.startsWith(',')) return 'a value is missing before the comma'
  if (/^[-+.\d]/.test(rest)) return `${wordOf(rest)} is no number`
  if (/^\/[/*]/.test(rest)) return 'JSON has no comments'
  if (/^[A-Za-z_$]/.test(rest)) return `${wordOf(rest)} needs double quotes, or is no value`
  return 'a value is missing'
}

const wordOf = (rest: string): string => /^[-+.\w$]+/.exec(rest)?.[0] ?? rest.slice(0, 1)

function skipObject(text: string, start: number): number {
  let at = skipBlank(text, start + 1)
  if (text[at] === '}') return at + 1
  for (;;) {
    if (text[at] === '}') throw new Stop(at, 'the comma before is one too many')
    if (text[at] !== '"') throw new Stop(at, 'a field needs a name in double quotes (")')
    at = skipBlank(text, skipText(text, at))
    if (text[at] !== ':') throw new Stop(at, 'a colon (:) is missing after the name of the field')
    at = skipBlank(text, skipValue(text, skipBlank(text, at + 1)))
    if (text[at] === '}') return at + 1
    at = skipComma(text, at, '}')
  }
}

function skipArray(text: string, start: number): number {
  let at = skipBlank(text, start + 1)
  if (text[at] === ']') return at + 1
  for (;;) {
    at = skipBlank(text, skipValue(text, at))
    if (text[at] === ']') return at + 1
    at = skipComma(text, at, ']')
  }
}

function skipComma(text: string, at: number, closing: string): number {
  if (text[at] === ',') return skipBlank(text, at + 1)
  throw new Stop(at, at >= text.length ? `the closing ${closing} is missing` : 'a comma is missing')
}

function skipText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text[at] ?? ''
    if (sign === '"') return at + 1
    if (sign < ' ')
      throw new Stop(at, 'the text has no closing quote, or a line break that must be written \\n')
    if (sign !== '\\') continue
    const end = matchAt(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y, text, at)
    if (end === undefined) throw new Stop(at, 'a backslash in a text must be written \\\\')
    at = end - 1
  }
  throw new Stop(text.length, 'the text has no closing quote')
}

function matchAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}
