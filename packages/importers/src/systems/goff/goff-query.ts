import type { Operator } from '@burgee/evaluation'
import { ignoringCase, numericEqual, USER_KEY } from '../../conditions.ts'
import { all, any, type Expression, isSet, not, test } from '../../expression.ts'
import { Gap } from '../../gap.ts'
import { tableOf } from '../../reading.ts'

/** A word, a text in quotes, a bracket or a comma. */
const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|([()[\],])|([^\s()[\],"]+))/y
const QUERY_MAX_LENGTH = 20_000
const DEPTH_MAX = 50

interface Token {
  readonly text: string
  readonly isQuoted: boolean
}

/** Parses a query such as `key eq "a" and (plan in ["b", "c"] or not (beta pr))`. */
export function parseQuery(query: string): Expression {
  const tokens = tokenize(query)
  let at = 0
  const peek = () => tokens[at]
  const take = (): Token => {
    const token = tokens[at]
    if (!token) throw new Gap('query', 'The query ends too early.')
    at += 1
    return token
  }
  const isWord = (word: string) => peek()?.isQuoted === false && peek()?.text.toLowerCase() === word
  const expect = (text: string) => {
    if (take().text !== text) throw new Gap('query', `The query needs ${text} at another place.`)
  }

  function either(depth: number): Expression {
    if (depth > DEPTH_MAX) throw new Gap('too_deep', 'The query is nested too deeply.')
    const parts = [both(depth)]
    while (isWord('or')) {
      take()
      parts.push(both(depth))
    }
    return parts.length === 1 && parts[0] ? parts[0] : any(parts)
  }

  function both(depth: number): Expression {
    const parts = [single(depth)]
    while (isWord('and')) {
      take()
      parts.push(single(depth))
    }
    return parts.length === 1 && parts[0] ? parts[0] : all(parts)
  }

  function single(depth: number): Expression {
    if (isWord('not')) {
      take()
      return not(single(depth + 1))
    }
    if (peek()?.text === '(' && peek()?.isQuoted === false) {
      take()
      const inner = either(depth + 1)
      expect(')')
      return inner
    }
    return comparison()
  }

  function comparison(): Expression {
    const attribute = attributeOf(take().text)
    const operator = take().text.toLowerCase()
    if (operator === 'pr') return isSet(attribute)
    if (operator !== 'in') return compare(attribute, operator, take())
    expect('[')
    const values: Token[] = []
    while (peek()?.text !== ']') {
      values.push(take())
      if (peek()?.text === ',') take()
    }
    take()
    return any(values.map((value) => equal(attribute, value)))
  }

  const expression = either(0)
  if (at < tokens.length) throw new Gap('query', 'The query has more than one expression.')
  return expression
}

function tokenize(query: string): readonly Token[] {
  if (query.length > QUERY_MAX_LENGTH) throw new Gap('query', 'The query is too long.')
  const tokens: Token[] = []
  let at = 0
  while (query.slice(at).trim() !== '') {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(query)
    if (!found) throw new Gap('query', `The query cannot be read at character ${at + 1}.`)
    const [, quoted, sign, word] = found
    tokens.push({
      text: quoted === undefined ? (sign ?? word ?? '') : unquote(quoted),
      isQuoted: quoted !== undefined,
    })
    at = TOKEN.lastIndex
  }
  return tokens
}

const unquote = (quoted: string) => quoted.slice(1, -1).replaceAll(/\\(.)/gs, '$1')

const attributeOf = (name: string) => (name === 'key' || name === 'targetingKey' ? USER_KEY : name)

const NUMBER = /^-?\d+(?:\.\d+)?$/
const VERSION = /^\d+\.\d+\.\d+(?:[-+].*)?$/

const ORDER = tableOf<{ number: Operator; version: Operator }>({
  lt: { number: 'less_than', version: 'semver_less_than' },
  '<': { number: 'less_than', version: 'semver_less_than' },
  le: { number: 'less_than_or_equal', version: 'semver_less_than_or_equal' },
  '<=': { number: 'less_than_or_equal', version: 'semver_less_than_or_equal' },
  gt: { number: 'greater_than', version: 'semver_greater_than' },
  '>': { number: 'greater_than', version: 'semver_greater_than' },
  ge: { number: 'greater_than_or_equal', version: 'semver_greater_than_or_equal' },
  '>=': { number: 'greater_than_or_equal', version: 'semver_greater_than_or_equal' },
})
const SIDES = tableOf<{ start: boolean; end: boolean }>({
  co: { start: false, end: false },
  sw: { start: true, end: false },
  ew: { start: false, end: true },
})

/** Without the attribute no comparison holds, also not `ne`. */
function compare(attribute: string, operator: string, value: Token): Expression {
  const order = ORDER[operator]
  if (order) {
    if (VERSION.test(value.text)) return test(attribute, order.version, [value.text])
    if (NUMBER.test(value.text)) return test(attribute, order.number, [value.text])
    throw new Gap('text_order', `${attribute} is ordered as a text.`)
  }
  const side = SIDES[operator]
  if (side) return ignoringCase(attribute, { ...side, values: [value.text] })
  if (operator === 'eq' || operator === '==') return equal(attribute, value)
  if (operator === 'ne' || operator === '!=') return all([isSet(attribute), not(equal(attribute, value))])
  throw new Gap('operator', `The operator ${JSON.stringify(operator.slice(0, 50))} has no equal.`)
}

/** Texts are equal in any case, as they are there. */
function equal(attribute: string, { isQuoted, text }: Token): Expression {
  if (isQuoted) return equalText(attribute, text)
  if (text === 'null') return not(isSet(attribute))
  if (VERSION.test(text)) return test(attribute, 'semver_equal', [text])
  return NUMBER.test(text) ? numericEqual(attribute, [text]) : test(attribute, 'equals', [text])
}

const equalText = (attribute: string, text: string): Expression => test(attribute, 'equals', [text])
