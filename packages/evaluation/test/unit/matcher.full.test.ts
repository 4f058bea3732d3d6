import { test } from 'vitest'
import { compareWithReference } from './reference/random-pattern.ts'

test('100,000 random patterns match what RE2 matches', () => {
  compareWithReference(100_000)
})
