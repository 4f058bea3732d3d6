import { describe, expect, it } from 'vitest'
import { forgetUnused, UNUSED_AFTER_MS } from '../../../../src/serving/stream/live-flags.ts'
import { createSnapshots } from '../../../../src/serving/stream/snapshots.ts'
import { createManualClock } from '../../../harness/manual-clock.ts'

function createFixture(watched: readonly string[] = []) {
  const clock = createManualClock()
  const followed = new Set<string>()
  const loads: string[] = []
  const snapshots = createSnapshots({
    clock,
    changefeed: { follow: (id) => followed.add(id), unfollow: (id) => followed.delete(id) },
    async load(environment_id) {
      loads.push(environment_id)
      return { environment_id, project_id: 'project', revision: 1, flags: [] }
    },
  })
  const forget = () => forgetUnused(snapshots, { isWatched: (id) => watched.includes(id) })
  return { clock, followed, loads, snapshots, forget }
}

describe('the flags of an environment in memory', () => {
  it('are forgotten, and no longer followed, when nothing has used them for a while', async () => {
    const { clock, followed, forget, loads, snapshots } = createFixture()
    await snapshots.get('quiet')
    clock.advance(UNUSED_AFTER_MS + 1)
    await snapshots.get('used')
    forget()
    expect([...followed]).toEqual(['used'])
    expect(snapshots.peek('quiet')).toBeUndefined()
    await snapshots.get('quiet')
    expect(loads).toEqual(['quiet', 'used', 'quiet'])
  })

  it('stay while polls read them', async () => {
    const { clock, followed, forget, snapshots } = createFixture()
    await snapshots.get('polled')
    for (let poll = 0; poll < 3; poll += 1) {
      clock.advance(UNUSED_AFTER_MS - 1)
      expect(snapshots.peek('polled')).toBeDefined()
      forget()
    }
    expect([...followed]).toEqual(['polled'])
  })

  it('stay while a stream is open, however long nothing else reads them', async () => {
    const { clock, followed, forget, snapshots } = createFixture(['streamed'])
    await snapshots.get('streamed')
    clock.advance(10 * UNUSED_AFTER_MS)
    forget()
    expect([...followed]).toEqual(['streamed'])
  })
})
