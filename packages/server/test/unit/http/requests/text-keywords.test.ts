import { Ajv } from 'ajv'
import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { createValidators, toProblems } from '../../../../src/http/requests/validators.ts'

const { body } = createValidators()
const ajv = new Ajv({ allErrors: true, verbose: true })

const TEXTS = [
  '',
  'a',
  'ab',
  'abc',
  'abcd',
  'abcdefg',
  '👩',
  '👩👩',
  '👩👩👩',
  '👩👩👩👩',
  'a👩b',
  '\ud800👩\udc00',
  'a b',
]
const SCHEMAS = [0, 1, 2, 3].flatMap((limit) => [
  Type.String({ maxLength: limit }),
  Type.String({ minLength: limit }),
  Type.String({ minLength: limit, maxLength: limit + 1 }),
])

const errorsOf = (fits: { errors?: unknown; (input: unknown): boolean }, text: string) =>
  fits(text) ? [] : fits.errors

describe('texts', () => {
  it.each(SCHEMAS.map((schema) => [JSON.stringify(schema), schema] as const))(
    'have the lengths that Ajv counts: %s',
    (_, schema) => {
      const [own, theirs] = [body(schema), ajv.compile(schema)]
      for (const text of TEXTS) expect(errorsOf(own, text), text).toEqual(errorsOf(theirs, text))
    },
  )

  it('match the patterns of Ajv, with the same error', () => {
    const schema = Type.String({ maxLength: 3, pattern: '^[a-z👩]+$' })
    const [own, theirs] = [body(schema), ajv.compile(schema)]
    // What is too long by its units alone is not searched.
    for (const text of TEXTS.filter(({ length }) => length <= 6))
      expect(errorsOf(own, text), text).toEqual(errorsOf(theirs, text))
  })

  it('are neither counted nor searched where their length alone decides', () => {
    const key = body(Type.String({ minLength: 1, maxLength: 100, pattern: '^[a-z]+$' }))
    const [short, long, emoji] = ['a'.repeat(100), 'a'.repeat(1_000_000), '👩'.repeat(500_000)]
    // Compiled when it is first used.
    expect(key(short)).toBe(true)
    const counted = vi.spyOn(String.prototype, Symbol.iterator)
    const searched = vi.spyOn(RegExp.prototype, 'test')
    const fit = [key(short), key(long), key(emoji), key('')]
    const calls = { counted: counted.mock.calls.length, searched: searched.mock.calls.flat() }
    vi.restoreAllMocks()
    expect(fit).toEqual([true, false, false, false])
    expect(calls).toEqual({ counted: 0, searched: [short, ''] })
  })

  it('that are much too long are described without their exact length', () => {
    const name = body(Type.Object({ name: Type.String({ maxLength: 100 }) }))
    const problemsOf = (text: string) => {
      name({ name: text })
      return toProblems(name.errors ?? []).map(({ message }) => message)
    }
    expect(problemsOf('👩'.repeat(101))).toEqual(['may have at most 100 characters and has 101'])
    expect(problemsOf('👩'.repeat(10_001))).toEqual([
      'may have at most 100 characters and has more than 10,000',
    ])
  })
})
