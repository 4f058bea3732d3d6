import { expect, it } from 'vitest'
import { createBodyBudget } from '../../../../src/http/bodies/body-budget.ts'

function build(maxBytes: number) {
  const budget = createBodyBudget(maxBytes)
  const refused: string[] = []
  return { hold: (name: string) => budget.hold(() => refused.push(name)), refused }
}

it('a full budget refuses the body that has been arriving for the longest time', () => {
  const { hold, refused } = build(100)
  const oldest = hold('oldest')
  const second = hold('second')
  oldest.add(60)
  second.add(40)
  expect(refused).toEqual([])
  second.add(1)
  expect(refused).toEqual(['oldest'])
})

it('a complete body keeps its bytes and is not refused', () => {
  const { hold, refused } = build(100)
  const whole = hold('whole')
  whole.add(90)
  whole.complete()
  hold('next').add(11)
  expect(refused).toEqual(['next'])
})

it('bytes are available again once a body is released, also when it is released twice', () => {
  const { hold, refused } = build(100)
  for (let round = 0; round < 10; round += 1) {
    const body = hold(`${round}`)
    body.add(100)
    body.complete()
    body.release()
    body.release()
  }
  expect(refused).toEqual([])
  hold('whole').add(100)
  hold('more').add(1)
  expect(refused).toEqual(['whole'])
})

it('a refused body does not count any more, whatever arrives of it', () => {
  const { hold, refused } = build(100)
  const first = hold('first')
  first.add(101)
  first.add(1_000)
  first.release()
  hold('second').add(100)
  expect(refused).toEqual(['first'])
})

it('as many bodies are refused as needed', () => {
  const { hold, refused } = build(100)
  for (const name of ['a', 'b', 'c']) hold(name).add(30)
  hold('large').add(60)
  expect(refused).toEqual(['a', 'b'])
})
