import { ALWAYS, all, any, type Expression, isSet, not } from '../../expression.ts'
import { Gap } from '../../gap.ts'
import { type Comparison, compare, isMember } from './goff-comparisons.ts'
import { type Token, tokenize } from './goff-tokens.ts'

const DEPTH_MAX = 50

/** A query of GO Feature Flag. */
export interface Query {
  readonly when: Expression
  /** The text behind the end, which counts for nothing. */
  readonly ignored: string
  /** The number of comparisons, and the names of attributes inside objects. */
  readonly comparisons: number
  readonly nested: readonly string[]
  /** Attributes inside objects that are compared with a list of whole numbers. */
  readonly nestedNumbers: readonly string[]
  /** Literals such as 2.1, which are no versions. */
  readonly fractions: readonly string[]
}

/**
 * Parses a query such as `key eq "a" and (plan in ["b", "c"] or not (beta pr))`. `and` and `or` have the same
 * rank and are read from the left. The query ends where neither of them follows.
 */
export function parseQuery(query: string): Query {
  const parser = new Parser(tokenize(query))
  const when = parser.query(0)
  const { comparisons, fractions, nested, nestedNumbers } = parser
  return { when, ignored: parser.rest().trim(), comparisons, fractions, nested, nestedNumbers }
}

class Parser {
  comparisons = 0
  readonly nested: string[] = []
  readonly nestedNumbers: string[] = []
  readonly fractions: string[] = []
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  rest(): string {
    return this.#tokens
      .slice(this.#at)
      .map(({ text }) => text)
      .join('')
  }

  query(depth: number): Expression {
    if (depth > DEPTH_MAX) throw new Gap('too_deep', 'The query is nested too deeply.')
    let left = this.#single(depth)
    while (this.#peek()?.kind === 'space' && this.#peek(1)?.kind === 'logical') {
      this.#at += 1
      const join = this.#take('logical').text === 'or' ? any : all
      this.#take('space')
      left = join([left, this.#single(depth)])
    }
    return left
  }

  #peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead]
  }

  #take(kind: Token['kind'], text?: string): Token {
    const token = this.#peek()
    if (token?.kind !== kind || (text !== undefined && token.text !== text))
      throw new Gap('query', `The query has no ${text ?? kind} where it needs one.`)
    this.#at += 1
    return token
  }

  #skip(kind: Token['kind']): boolean {
    const isThere = this.#peek()?.kind === kind
    if (isThere) this.#at += 1
    return isThere
  }

  /** A query in brackets, or a comparison. Only brackets can be negated. */
  #single(depth: number): Expression {
    const isNegated = this.#skip('not')
    const hasSpace = this.#skip('space')
    if (!isNegated && !hasSpace && this.#peek()?.kind === 'name') return this.#comparison()
    this.#take('sign', '(')
    this.#skip('space')
    const inner = this.query(depth + 1)
    this.#skip('space')
    this.#take('sign', ')')
    return isNegated ? not(inner) : inner
  }

  #comparison(): Expression {
    const attribute = this.#attribute()
    this.comparisons += 1
    this.#take('space')
    if (this.#skip('present')) return attribute === ANONYMOUS ? ALWAYS : isSet(nameOf(attribute))
    const operator = this.#take('operator').text.toLowerCase()
    this.#take('space')
    const comparison = { attribute: nameOf(attribute), operator }
    if (attribute === ANONYMOUS) return this.#anonymous(operator)
    if (this.#peek()?.text === '[') return this.#list(comparison)
    const isNegative = this.#peek()?.text === '-' && this.#peek(1)?.kind === 'int'
    if (isNegative) this.#at += 1
    const value = this.#peek()
    if (!value) throw new Gap('query', 'The query ends too early.')
    this.#at += 1
    if (value.kind === 'double') this.fractions.push(value.text)
    return compare(comparison, isNegative ? { kind: 'int', text: `-${value.text}` } : value)
  }

  #attribute(): string {
    let attribute = this.#take('name').text
    while (this.#peek()?.text === '.') {
      this.#at += 1
      attribute += `.${this.#take('name').text}`
    }
    if (attribute.includes('.')) this.nested.push(attribute)
    return attribute
  }

  /** The service gives every user the attribute `anonymous`: false where the program sends none. */
  #anonymous(operator: string): Expression {
    const wanted = this.#take('boolean').text === 'true'
    const isTrue = compare({ attribute: ANONYMOUS, operator: 'eq' }, { kind: 'boolean', text: 'true' })
    if (operator === 'eq' || operator === '==') return wanted ? isTrue : not(isTrue)
    if (operator === 'ne' || operator === '!=') return wanted ? not(isTrue) : isTrue
    throw new Gap('operator', `The operator ${operator} does not compare booleans.`)
  }

  #list(comparison: Comparison): Expression {
    this.#take('sign', '[')
    const values: Token[] = []
    do {
      const value = this.#peek()
      if (!value || (values[0] ?? value).kind !== value.kind || !LISTED.has(value.kind))
        throw new Gap('query', 'The list has values of different types.')
      values.push(value)
      this.#at += 1
    } while (this.#skip('comma'))
    this.#take('sign', ']')
    if (values[0]?.kind === 'int' && comparison.attribute.includes('.'))
      this.nestedNumbers.push(comparison.attribute)
    return isMember(comparison, values)
  }
}

const LISTED: ReadonlySet<Token['kind']> = new Set(['text', 'int', 'double'])
const ANONYMOUS = 'anonymous'
/** Both are the key of the user. */
const nameOf = (name: string) => (name === 'key' || name === 'targetingKey' ? '$user_key' : name)
