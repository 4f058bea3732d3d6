import { describe, expect, it } from 'vitest'
import { createKeyedQueue } from '../../../../src/platform/concurrency/keyed-queue.ts'

describe('a keyed queue', () => {
  it('the keyed queue runs the tasks of one key in order, those of others concurrently, and survives a failed one', async () => {
    const queue = createKeyedQueue()
    const order: string[] = []
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const first = queue.run('a', async () => {
      await held
      order.push('a1')
      throw new Error('failed')
    })
    const second = queue.run('a', async () => order.push('a2'))
    await queue.run('b', async () => order.push('b1'))
    release()
    await expect(first).rejects.toThrow('failed')
    await second
    expect(order).toEqual(['b1', 'a1', 'a2'])
  })

  it('the keyed queue refuses tasks when 1,000 wait, and accepts them again afterwards', async () => {
    const queue = createKeyedQueue()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const waiting = Array.from({ length: 1_000 }, () => queue.run('a', () => held))
    expect(queue.waiting('a')).toBe(999)
    await expect(queue.run('a', async () => 'late')).rejects.toMatchObject({ kind: 'unavailable' })
    release()
    await Promise.all(waiting)
    expect(queue.waiting('a')).toBe(0)
    expect(await queue.run('a', async () => 'again')).toBe('again')
  })

  it('the keyed queue runs a task that is ahead before waiting ones, and one of them before the next', async () => {
    const queue = createKeyedQueue()
    const order: string[] = []
    const run = (name: string, isAhead = false) => queue.run('a', async () => order.push(name), { isAhead })
    const first = run('first')
    const others = [run('second'), run('third')]
    const ahead = run('ahead', true).then(() => run('ahead again', true))
    await Promise.all([first, ...others, ahead])
    expect(order).toEqual(['first', 'ahead', 'second', 'ahead again', 'third'])
  })

  it('the keyed queue accepts a task that is ahead when it is full', async () => {
    const queue = createKeyedQueue()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const waiting = Array.from({ length: 1_000 }, () => queue.run('a', () => held))
    const ahead = queue.run('a', async () => queue.waiting('a'), { isAhead: true })
    release()
    expect(await ahead).toBe(999)
    await Promise.all(waiting)
  })
})
