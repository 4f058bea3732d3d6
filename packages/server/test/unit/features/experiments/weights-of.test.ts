import { describe, expect, it } from 'vitest'
import { weightsOf } from '../../../../src/features/experiments/weights-of.ts'

describe('the weights of a flag', () => {
  it('are named by the text under which SDKs report a value', () => {
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

  it('of equal values count together, and those of null not at all', () => {
    const variants = [
      { value: 'a', weight: 1 },
      { value: 'a', weight: 2 },
      { value: null, weight: 9 },
    ]
    expect([...weightsOf({ variants })]).toEqual([['a', 3]])
  })

  it('of a value that is longer than what is stored have its stored part', () => {
    const [text] = [...weightsOf({ variants: [{ value: '🏴'.repeat(9_000), weight: 1 }] }).keys()]
    expect(text).toBe('🏴'.repeat(8_192))
  })

  it('are none for a flag that is not there', () => {
    expect(weightsOf(undefined).size).toBe(0)
  })
})
