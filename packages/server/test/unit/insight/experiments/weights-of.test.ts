import { describe, expect, it } from 'vitest'
import { weightsOf } from '../../../../src/insight/experiments/weights-of.ts'

describe('the weights of a flag', () => {
  it('the weights of a flag are keyed by the text that SDKs report', () => {
    const variants = [
      { value: 'text', weight: 1 },
      { value: 7, weight: 2 },
      { value: { b: 1, a: [null] }, weight: 3 },
      { value: '', weight: 4 },
    ]
    expect([...weightsOf({ variants })]).toEqual([
      ['text', 1],
      ['7', 2],
      ['{"b":1,"a":[null]}', 3],
      ['', 4],
    ])
  })

  it('the weights of equal values are summed, and those of null left out', () => {
    const variants = [
      { value: 'a', weight: 1 },
      { value: 'a', weight: 2 },
      { value: null, weight: 9 },
    ]
    expect([...weightsOf({ variants })]).toEqual([['a', 3]])
  })

  it('the key of a long value is its stored part', () => {
    const [text] = [...weightsOf({ variants: [{ value: '🏴'.repeat(9_000), weight: 1 }] }).keys()]
    expect(text).toBe('🏴'.repeat(8_192))
  })

  it('an unknown flag has no weights', () => {
    expect(weightsOf(undefined).size).toBe(0)
  })
})
