import { expect, it } from 'vitest'
import { createSemaphore } from '../../../../src/platform/concurrency/semaphore.ts'

function startWork(permits: number, count: number) {
  const withPermit = createSemaphore(permits)
  const started: number[] = []
  const endings: ((error?: Error) => void)[] = []
  const works = Array.from({ length: count }, (_, id) =>
    withPermit(async () => {
      started.push(id)
      await new Promise<void>((resolve, reject) => {
        endings[id] = (error) => (error ? reject(error) : resolve())
      })
      return id
    }),
  )
  return { endings, started, works }
}

it('a semaphore runs as many at a time as it has permits, the others in their order', async () => {
  const { endings, started, works } = startWork(2, 4)
  expect(started).toEqual([0, 1])
  endings[1]?.()
  expect(await works[1]).toBe(1)
  expect(started).toEqual([0, 1, 2])
  endings[0]?.()
  expect(await works[0]).toBe(0)
  expect(started).toEqual([0, 1, 2, 3])
  endings[2]?.()
  endings[3]?.()
  expect(await Promise.all(works)).toEqual([0, 1, 2, 3])
})

it('a semaphore passes on the permit of work that failed', async () => {
  const { endings, started, works } = startWork(1, 2)
  endings[0]?.(new Error('no'))
  await expect(works[0]).rejects.toThrow('no')
  expect(started).toEqual([0, 1])
  endings[1]?.()
  expect(await works[1]).toBe(1)
})
