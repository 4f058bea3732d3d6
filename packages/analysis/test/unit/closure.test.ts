import { createFlagSet } from '@burgee/evaluation'
import { expect, it } from 'vitest'
import { aFlag } from '../../../evaluation/test/unit/builders.ts'
import { closureOf } from '../../src/closure.ts'
import { createKeyClasses } from '../../src/index.ts'

const needing = (key: string, keys: readonly string[]) =>
  aFlag({ key, prerequisites: keys.map((flag_key) => ({ flag_key })) })

it('a search for what a flag needs yields within and after each flag, and asks about each once', () => {
  const keys = Array.from({ length: 50 }, (_, at) => `flag-${at}`)
  const set = createFlagSet([needing('top', [...keys, ...keys]), ...keys.map((key) => needing(key, keys))])
  let asked = 0
  const steps = closureOf(set, 'top', () => {
    asked += 1
  })
  let yielded = 0
  while (!steps.next().done) yielded += 1
  expect(asked).toBe(51)
  expect(yielded).toBeGreaterThan(51)
})

it('keys have no classes where a flag needs too many others', () => {
  const classOf = (count: number) => {
    const many = Array.from({ length: count }, (_, at) => `missing-${at}`)
    const set = createFlagSet([needing('top', many)])
    return createKeyClasses(set, set, 'top', new Map())('ann')
  }
  expect(classOf(100)).not.toBeNull()
  expect(classOf(15_000)).toBeNull()
})
