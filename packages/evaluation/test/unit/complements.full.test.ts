import { test } from 'vitest'
import { compareComplements } from './reference/compare-complements.ts'

test('a complement holds exactly when its operator does not, for a million random pairs', () => {
  compareComplements(1_000_000)
})
