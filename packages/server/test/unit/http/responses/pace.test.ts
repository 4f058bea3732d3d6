import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createPace } from '../../../../src/http/responses/pace.ts'

test('work runs at once while there is little of it', async () => {
  const pace = createPace(2)
  const done: number[] = []
  pace.run(() => done.push(1))
  pace.run(() => done.push(2))
  expect(done).toEqual([1, 2])
  await nextTurn()
  await nextTurn()
  pace.run(() => done.push(3))
  expect(done).toEqual([1, 2, 3])
})

test('much work runs in order over several turns, with other work in between', async () => {
  const pace = createPace(2)
  const done: number[] = []
  for (let index = 0; index < 7; index += 1) pace.run(() => done.push(index))
  const lengths = [done.length]
  while (done.length < 7) {
    await nextTurn()
    lengths.push(done.length)
  }
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6])
  for (const [turn, length] of lengths.entries()) expect(length).toBeLessThanOrEqual(2 * (turn + 1))
})

test('work that is added during other work runs after it', async () => {
  const pace = createPace(1)
  const done: string[] = []
  pace.run(() => {
    done.push('first')
    pace.run(() => done.push('added'))
  })
  pace.run(() => done.push('second'))
  while (done.length < 3) await nextTurn()
  expect(done).toEqual(['first', 'added', 'second'])
})

test('work yields to connections that are accepted, and is not starved', async () => {
  const pace = createPace(10)
  let done = 0
  pace.connectionAccepted()
  for (let index = 0; index < 10; index += 1) pace.run(() => (done += 1))
  expect(done).toBe(0)
  let turns = 0
  for (; done < 3; turns += 1) {
    pace.connectionAccepted()
    await nextTurn()
  }
  expect(turns).toBeGreaterThan(10)
  while (done < 10) await nextTurn()
})
