import { describe, expect, it } from 'vitest'
import { editDistance, findSimilarKeys } from '../../../src/reporting/unknown-flags/find-similar-key.ts'

function find(keys: readonly string[], existing: readonly string[]) {
  const steps = findSimilarKeys(keys, existing)
  for (;;) {
    const step = steps.next()
    if (step.done) return Object.fromEntries(step.value)
  }
}

/** The distance by its definition, without bounds. */
function slowDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  if (a[0] === b[0]) return slowDistance(a.slice(1), b.slice(1))
  return (
    1 +
    Math.min(slowDistance(a.slice(1), b), slowDistance(a, b.slice(1)), slowDistance(a.slice(1), b.slice(1)))
  )
}

describe('the flag that was probably meant', () => {
  it.each([
    ['new-checkot', 'new-checkout'],
    ['new-chekcout', 'new-checkout'],
    ['new-checkoutt', 'new-checkout'],
    ['nwe-checkout', 'new-checkout'],
  ])('%s is similar to %s', (key, meant) => {
    expect(find([key], ['other', meant])).toEqual({ [key]: meant })
  })

  it('a nearer key wins over a farther one', () => {
    expect(find(['search'], ['sea', 'seerchh', 'searc', 'serch'])).toEqual({ search: 'searc' })
  })

  it('keys that share no character with another are never similar', () => {
    expect(find(['ab', 'x'], ['cd', 'y'])).toEqual({})
  })

  it('the bounded distance is the distance by its definition up to the bound', () => {
    const texts = ['', 'a', 'ab', 'ba', 'abc', 'cab', 'acb', 'abcd', 'badc', 'aabb', 'abab']
    for (const a of texts) {
      for (const b of texts) {
        for (const most of [1, 2]) {
          expect([a, b, editDistance(a, b, most)]).toEqual([a, b, Math.min(slowDistance(a, b), most + 1)])
        }
      }
    }
  })

  it('hostile keys that resemble thousands of flags end the search early', () => {
    const existing = Array.from({ length: 10_000 }, (_, n) => `flag-${n}`)
    const keys = Array.from({ length: 1_000 }, (_, n) => `flag-${n}x`)
    const similar = find(keys, existing)
    expect(Object.keys(similar).length).toBeGreaterThan(0)
    expect(Object.keys(similar).length).toBeLessThan(keys.length)
  })
})
