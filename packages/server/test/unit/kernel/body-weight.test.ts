import { describe, expect, it } from 'vitest'
import { bodyWeight } from '../../../src/kernel/body-weight.ts'

describe('the memory of a batch of reports', () => {
  it('a batch weighs as much as its body, however little of that is kept', () => {
    expect(bodyWeight({ rows: 1, characters: 10 }, '16000000')).toBe(16_000_100)
  })

  it.each([undefined, '', 'x'])(
    'a batch weighs what is kept of it when a header of %j has no length',
    (header) => {
      expect(bodyWeight({ rows: 2, characters: 10 }, header)).toBe(210)
    },
  )
})
