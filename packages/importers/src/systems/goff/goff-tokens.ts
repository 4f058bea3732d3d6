import { Gap } from '../../gap.ts'

type TokenKind =
  | 'sign'
  | 'present'
  | 'not'
  | 'logical'
  | 'boolean'
  | 'null'
  | 'operator'
  | 'name'
  | 'version'
  | 'text'
  | 'double'
  | 'int'
  | 'exponent'
  | 'comma'
  | 'space'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
}

const WHOLE = '(?:0|[1-9]\\d*)'
const EXPONENT = `[Ee][+-]?${WHOLE}`
const PRERELEASE = '(?:\\d*[A-Za-z-][\\dA-Za-z-]*|0|[1-9]\\d*)'
const BUILD = '[\\dA-Za-z-]+'
const list = (part: string) => `${part}(?:\\.${part})*`

/** The longest token counts; of two that are equally long, the first. */
const TOKENS: readonly (readonly [TokenKind, RegExp])[] = [
  ['present', /pr/y],
  ['sign', /[().[\]-]/y],
  ['not', /not|NOT/y],
  ['logical', /and|or/y],
  ['boolean', /true|false/y],
  ['null', /null/y],
  ['operator', /in|eq|ne|gt|lt|ge|le|co|sw|ew|IN|EQ|NE|GT|LT|GE|LE|CO|SW|EW|==|!=|>=|<=|>|</y],
  ['name', /[A-Za-z][\w:-]*/y],
  [
    'version',
    new RegExp(`${WHOLE}\\.${WHOLE}\\.${WHOLE}(?:-${list(PRERELEASE)})?(?:\\+${list(BUILD)})?`, 'y'),
  ],
  ['text', /"(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|[^"\\])*"/y],
  ['double', new RegExp(`-?${WHOLE}\\.\\d+(?:${EXPONENT})?`, 'y')],
  ['int', new RegExp(WHOLE, 'y')],
  ['exponent', new RegExp(EXPONENT, 'y')],
  ['comma', /, */y],
  ['space', / /y],
]
/** No token begins with another character, and the service ignores such a character. */
const BEGINS_TOKEN = /[A-Za-z\d"()[\].,<>=! -]/
const QUERY_MAX_LENGTH = 20_000

/** Returns a query as GO Feature Flag reads it: lines are joined without a space between them. */
export const joinLines = (query: string): string =>
  query
    .split('\n')
    .map((line) => line.replace(/^ +/, ''))
    .join('')

/** Splits a query into the tokens of the grammar of GO Feature Flag, spaces included. */
export function tokenize(query: string): readonly Token[] {
  if (query.length > QUERY_MAX_LENGTH) throw new Gap('query', 'The query is too long.')
  const tokens: Token[] = []
  let at = 0
  while (at < query.length) {
    const token = tokenAt(query, at)
    if (token) tokens.push(token)
    else if (BEGINS_TOKEN.test(query.charAt(at)))
      throw new Gap('query', `The query cannot be read at character ${at + 1}.`)
    at += token?.text.length ?? 1
  }
  return tokens
}

function tokenAt(query: string, at: number): Token | null {
  let longest: Token | null = null
  for (const [kind, pattern] of TOKENS) {
    pattern.lastIndex = at
    const text = pattern.exec(query)?.[0]
    if (text !== undefined && text.length > (longest?.text.length ?? 0)) longest = { kind, text }
  }
  return longest
}
