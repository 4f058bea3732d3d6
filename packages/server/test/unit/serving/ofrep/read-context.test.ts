import { expect, test } from 'vitest'
import { readContext } from '../../../../src/serving/ofrep/read-context.ts'

test('a context has at most 1,000 names of nested fields, and every field of its own', () => {
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 1]))
  const { attributes } = readContext({ context: { ...many, ['p'.repeat(1_000)]: many } })
  expect(Object.keys(attributes)).toHaveLength(50_000 + 1 + 1_000)
})
