import { expect, test } from 'vitest'
import { deliveryOutcome } from '../../../src/parts/deliveries/delivery-outcome.ts'

test.each([
  [200, 'delivered'],
  [204, 'delivered'],
  [302, 'refused'],
  [410, 'refused'],
  [500, 'refused'],
] as const)('a receiver that responds with %s: %s', (status_code, kind) => {
  expect(deliveryOutcome({ status_code, error: null })).toMatchObject({ kind, label: String(status_code) })
})

test('a redirect is a failure, and is named one', () => {
  expect(deliveryOutcome({ status_code: 301, error: null }).words).toContain('not followed')
})

test('a request that never completed states why', () => {
  const outcome = deliveryOutcome({ status_code: null, error: 'Connection refused' })

  expect(outcome).toEqual({ kind: 'unreachable', label: 'No response', words: 'Connection refused' })
})
