import { expect, test } from 'vitest'
import { runSteps } from '../../src/steps.ts'
import { type TextTest, textWitnesses } from '../../src/text-witnesses.ts'

const HOLDS: Record<string, (text: string, value: string) => boolean> = {
  equals: (text, value) => text === value,
  contains: (text, value) => text.includes(value),
  starts_with: (text, value) => text.startsWith(value),
  ends_with: (text, value) => text.endsWith(value),
}
const OPERATORS = ['equals', 'contains', 'starts_with', 'ends_with'] as const

const resultsOf = (tests: readonly TextTest[], text: string) =>
  tests.map(({ operator, value }) => HOLDS[operator]?.(text, value)).join()

/** Returns every text of these characters up to a length. */
function textsOf(characters: readonly string[], length: number): string[] {
  if (length === 0) return ['']
  const shorter = textsOf(characters, length - 1)
  return [...new Set([...shorter, ...shorter.flatMap((text) => characters.map((one) => text + one))])]
}

test.each([[['aab', 'aba', 'a']], [['abab', 'ababb', 'b']], [['aaaa', 'aa']], [['abcab', 'cabx']]])(
  'the witnesses of %j meet every combination of tests that some text meets',
  (values) => {
    for (const operators of [OPERATORS, ['contains'], ['ends_with'], ['ends_with', 'contains']] as const) {
      const tests = operators.flatMap((operator) => values.map((value) => ({ operator, value })))
      const witnesses = runSteps(textWitnesses(tests, () => undefined)) ?? []
      const found = new Set(witnesses.map((text) => resultsOf(tests, text)))
      const texts = textsOf([...new Set([...values.join(''), 'z'])], 7)
      expect(texts.filter((text) => !found.has(resultsOf(tests, text)))).toEqual([])
    }
  },
)

test.each([
  ['plain tests', []],
  ['plain tests and a pattern', [{ operator: 'matches', value: 'a' }]],
] as const)('%s with many characters yield and check the time after a thousand steps', (_name, further) => {
  const values = Array.from({ length: 200 }, (_, index) => String.fromCodePoint(0x4e00 + index))
  const tests = [...values.map((value) => ({ operator: 'contains', value }) as const), ...further]
  let checks = 0
  const steps = textWitnesses(tests, () => {
    checks += 1
  })
  let yields = 0
  while (steps.next().done !== true) yields += 1
  // The product ends without a result after a million steps.
  expect(yields).toBeGreaterThan(800)
  expect(checks).toBeGreaterThan(800)
})
