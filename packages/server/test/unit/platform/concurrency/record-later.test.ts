import { describe, expect, it } from 'vitest'
import { createRecorder } from '../../../../src/platform/concurrency/record-later.ts'
import { silentLog } from '../../../harness/silent-log.ts'

/** A recorder over a store that fails while `isDown` is set. */
function createWorld() {
  const stored: [number, string][][] = []
  const world = { isDown: false, stored }
  const recorder = createRecorder<number, string>({
    log: silentLog(),
    what: 'the last use',
    store: async (recorded) => {
      if (world.isDown) throw new Error('the database is unavailable')
      stored.push([...recorded])
    },
  })
  return { recorder, world }
}

describe('a value that could not be stored', () => {
  it('is stored with the next value of any key', async () => {
    const { recorder, world } = createWorld()
    world.isDown = true
    recorder.record(1, 'first')
    await recorder.settled()
    world.isDown = false
    recorder.record(2, 'second')
    await recorder.settled()
    expect(world.stored).toEqual([
      [
        [1, 'first'],
        [2, 'second'],
      ],
    ])
  })

  it('is stored when the values are needed, without another value', async () => {
    const { recorder, world } = createWorld()
    world.isDown = true
    recorder.record(1, 'first')
    await recorder.settled()
    world.isDown = false
    await recorder.settled()
    expect(world.stored).toEqual([[[1, 'first']]])
    await recorder.settled()
    expect(world.stored).toHaveLength(1)
  })

  it('is replaced by a later value of its key', async () => {
    const { recorder, world } = createWorld()
    world.isDown = true
    recorder.record(1, 'first')
    recorder.record(1, 'later')
    await recorder.settled()
    await recorder.settled()
    world.isDown = false
    await recorder.settled()
    expect(world.stored).toEqual([[[1, 'later']]])
  })

  it('is forgotten when there are more of them than are kept, the oldest first', async () => {
    const { recorder, world } = createWorld()
    world.isDown = true
    for (let key = 0; key < 30_000; key += 1) recorder.record(key, 'use')
    await recorder.settled()
    world.isDown = false
    await recorder.settled()
    expect(world.stored[0]).toHaveLength(20_000)
    expect(world.stored[0]?.at(-1)).toEqual([29_999, 'use'])
  })
})
