import { describe, expect, it } from 'vitest'
import { createFairQueue, type Turn } from '../../../../src/platform/concurrency/fair-queue.ts'

/** Creates a queue whose tasks end when the test decides. */
function build({ concurrency = 1, waitingMax = 100, waitingOfOneMax = 100 } = {}) {
  const message = 'Too many logins wait.'
  const queue = createFairQueue({ concurrency, waitingMax, waitingOfOneMax, message })
  const started: string[] = []
  const finishing = new Map<string, () => void>()
  const results = new Map<string, Promise<string>>()

  function send(name: string, turn: Turn): void {
    const task = () =>
      new Promise<string>((resolve) => {
        started.push(name)
        finishing.set(name, () => resolve(name))
      })
    const result = queue.run(turn, task)
    result.catch(() => undefined)
    results.set(name, result)
  }
  async function finish(name: string) {
    finishing.get(name)?.()
    await results.get(name)
  }
  /** Ends running tasks until none waits. */
  async function finishAll() {
    for (let index = 0; index < started.length; index += 1) await finish(started[index] ?? '')
  }
  const outcome = async (name: string) => {
    try {
      return await results.get(name)
    } catch (error) {
      return error
    }
  }
  return { send, started, finish, finishAll, outcome }
}

describe('a fair queue', () => {
  it('the fair queue runs a number of tasks at once and others as places become free', async () => {
    const { finish, send, started } = build({ concurrency: 2 })
    for (const name of ['a', 'b', 'c', 'd']) send(name, { from: '10.0.0.1' })
    expect(started).toEqual(['a', 'b'])

    await finish('b')
    expect(started).toEqual(['a', 'b', 'c'])
  })

  it('the fair queue gives each address its turn, however many tasks another one sent before', async () => {
    const { finishAll, send, started } = build()
    for (let count = 0; count < 50; count += 1) send(`flood ${count}`, { from: '10.0.0.1' })
    send('honest', { from: '10.0.0.2' })
    await finishAll()

    expect(started.indexOf('honest')).toBeLessThanOrEqual(2)
    expect(started).toHaveLength(51)
  })

  it('the fair queue gives the next turn to the address with the fewest turns', async () => {
    const { finish, send, started } = build()
    const floods = Array.from({ length: 20 }, (_, index) => `10.0.0.${index}`)
    for (const round of [1, 2, 3]) for (const from of floods) send(`${from} ${round}`, { from })
    // Every address of the flood has had a turn.
    for (let count = 0; count < floods.length; count += 1) await finish(started[count] ?? '')
    send('honest', { from: '10.1.0.1' })
    await finish(started.at(-1) ?? '')

    expect(started.at(-1)).toBe('honest')
  })

  it('the fair queue never runs two tasks of one account at once, and lets others pass meanwhile', async () => {
    const { finish, send, started } = build({ concurrency: 2 })
    send('first', { from: '10.0.0.1', account: 'ada' })
    send('second', { from: '10.0.0.2', account: 'ada' })
    send('third', { from: '10.0.0.2', account: 'grace' })
    expect(started).toEqual(['first', 'third'])

    await finish('third')
    expect(started).toEqual(['first', 'third'])
    await finish('first')
    expect(started).toEqual(['first', 'third', 'second'])
  })

  it('the fair queue continues after a failed task', async () => {
    const queue = createFairQueue({ concurrency: 1, waitingMax: 1, message: '' })
    const failed = queue.run({ from: 'a', account: 'ada' }, () => Promise.reject(new Error('no')))
    await expect(failed).rejects.toThrow('no')
    expect(await queue.run({ from: 'a', account: 'ada' }, async () => 'done')).toBe('done')
  })

  it('the fair queue refuses an address that fills it alone with 503 and a time to wait', async () => {
    const { finishAll, outcome, send } = build({ waitingMax: 2 })
    for (const name of ['a', 'b', 'c', 'd']) send(name, { from: '10.0.0.1' })

    expect(await outcome('d')).toMatchObject({
      kind: 'unavailable',
      message: 'Too many logins wait.',
      extras: { retry_after_seconds: 5 },
    })
    await finishAll()
  })

  it('the full fair queue refuses the newest task of the longest line, not the newcomer', async () => {
    const { finishAll, outcome, send } = build({ waitingMax: 3 })
    for (const name of ['a', 'b', 'c', 'd']) send(name, { from: '10.0.0.1' })
    send('honest', { from: '10.0.0.2' })
    await finishAll()

    expect(await outcome('d')).toMatchObject({ kind: 'unavailable' })
    expect(await outcome('honest')).toBe('honest')
  })

  it('the full fair queue of single tasks refuses the newcomer, and waiting ones keep their places', async () => {
    const { finishAll, outcome, send, started } = build({ waitingMax: 3 })
    for (const from of ['running', 'honest', 'b', 'c', 'd', 'e', 'f']) send(from, { from })
    await finishAll()

    expect(started).toEqual(['running', 'honest', 'b', 'c'])
    for (const late of ['d', 'e', 'f']) expect(await outcome(late)).toMatchObject({ kind: 'unavailable' })
  })

  it('the fair queue refuses an address of which too many tasks wait, while others have places', async () => {
    const { finishAll, outcome, send } = build({ waitingOfOneMax: 2 })
    for (const name of ['a', 'b', 'c', 'd']) send(name, { from: '10.0.0.1' })
    send('honest', { from: '10.0.0.2' })
    await finishAll()

    expect(await outcome('c')).toBe('c')
    expect(await outcome('d')).toMatchObject({ kind: 'unavailable' })
    expect(await outcome('honest')).toBe('honest')
  })

  it('the fair queue forgets the turns of an address once nothing waits', async () => {
    const { finish, finishAll, send, started } = build({ waitingMax: 4 })
    // The queue overflows, so that tasks are refused as well.
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) send(name, { from: 'flood' })
    send('other', { from: 'other' })
    await finishAll()

    const before = started.length
    send('runs', { from: 'third' })
    send('flood again', { from: 'flood' })
    send('other again', { from: 'other' })
    await finish('runs')
    // With its old turns the flood would have to wait for the other address.
    expect(started.slice(before)).toEqual(['runs', 'flood again'])
    await finishAll()
  })
})
