import { describe, expect, it } from 'vitest'
import { bodyWeight } from '../../../src/kernel/body-weight.ts'

describe('a batch of reports', () => {
  it('weighs what its body did, however little of that is kept', () => {
    expect(bodyWeight({ rows: 1, characters: 10 }, '16000000')).toBe(16_000_100)
  })

  it.each([undefined, '', 'x'])('weighs what is kept of it where a header of %j says no more', (header) => {
    expect(bodyWeight({ rows: 2, characters: 10 }, header)).toBe(210)
  })
})
