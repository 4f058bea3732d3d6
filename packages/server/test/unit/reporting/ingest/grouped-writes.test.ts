import { describe, expect, it } from 'vitest'
import { createGroupedWrites, type Measured } from '../../../../src/reporting/ingest/grouped-writes.ts'

interface Batch extends Measured {
  readonly name: string
}

const LIMITS = { lanes: 2, rowsPerGroup: 10, bytesPerGroup: 1_000, rowsMax: 50, bytesMax: 10_000 }
const batch = (name: string, rows = 1, bytes = 1): Batch => ({ name, rows, bytes })

/** Creates stores that end when the test decides. */
function stage(limits = LIMITS) {
  const groups: { key: string; names: string[]; end: (error?: Error) => void }[] = []
  const write = createGroupedWrites(limits).kind<Batch>('kind', (key, batches) => {
    return new Promise((resolve, reject) => {
      const names = batches.map(({ name }) => name)
      groups.push({ key, names, end: (error) => (error ? reject(error) : resolve()) })
    })
  })
  const results: string[] = []
  const send = (key: string, each: Batch) =>
    write(key, each).then(
      () => results.push(each.name),
      (error: Error) => results.push(`${each.name}: ${error.message}`),
    )
  const names = () => groups.map((group) => `${group.key} ${group.names.join(',')}`)
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
  return { groups, names, send, settled, results }
}

describe('writes of one key', () => {
  it('writes of one key are stored at once when idle, and collected otherwise', async () => {
    const { groups, names, send, settled, results } = stage()
    for (const name of ['1', '2', '3']) void send('a', batch(name))
    expect(names()).toEqual(['a 1'])
    groups[0]?.end()
    await settled()
    expect(results).toEqual(['1'])
    expect(names()).toEqual(['a 1', 'a 2,3'])
    groups[1]?.end()
    await settled()
    expect(results).toEqual(['1', '2', '3'])
  })

  it('writes of one key are collected up to a number of rows and bytes, at least one batch', async () => {
    const { groups, names, send, settled } = stage({ ...LIMITS, rowsMax: 100 })
    const sizes = [[1], [20], [5], [5], [1], [1, 900], [1, 200]] as const
    sizes.forEach(([rows, bytes = 1], index) => void send('a', batch(String(index), rows, bytes)))
    for (let at = 0; at < 5; at += 1) {
      groups[at]?.end()
      await settled()
    }
    expect(names()).toEqual(['a 0', 'a 1', 'a 2,3', 'a 4,5', 'a 6'])
  })

  it('writes of one key fail together when the database is unavailable', async () => {
    const { groups, send, settled, results } = stage()
    for (const name of ['1', '2', '3']) void send('a', batch(name))
    groups[0]?.end()
    await settled()
    groups[1]?.end(Object.assign(new Error('gone'), { code: '57P01' }))
    await settled()
    expect(results).toEqual(['1', '2: gone', '3: gone'])
  })

  it('writes of one key are stored one by one when one of them is invalid', async () => {
    const { groups, names, send, settled, results } = stage()
    for (const name of ['1', '2', '3']) void send('a', batch(name))
    groups[0]?.end()
    await settled()
    groups[1]?.end(new Error('odd'))
    await settled()
    groups[2]?.end(new Error('odd'))
    await settled()
    groups[3]?.end()
    await settled()
    expect(names()).toEqual(['a 1', 'a 2,3', 'a 2', 'a 3'])
    expect(results).toEqual(['1', '2: odd', '3'])
  })
})

describe('writes of several keys', () => {
  it('writes of several keys run concurrently in lanes, and take turns', async () => {
    const { groups, names, send, settled } = stage()
    for (const key of ['a', 'b', 'c', 'a', 'a']) void send(key, batch('x'))
    expect(names()).toEqual(['a x', 'b x'])
    groups[0]?.end()
    await settled()
    expect(names()).toEqual(['a x', 'b x', 'c x'])
    groups[1]?.end()
    await settled()
    expect(names()).toEqual(['a x', 'b x', 'c x', 'a x,x'])
  })

  it('a failed write of one key does not affect others', async () => {
    const { groups, send, settled, results } = stage()
    void send('a', batch('1'))
    void send('b', batch('2'))
    groups[0]?.end(Object.assign(new Error('gone'), { code: '57P01' }))
    groups[1]?.end()
    await settled()
    expect(results.sort()).toEqual(['1: gone', '2'])
  })
})

describe('bounds of pending writes', () => {
  it.each([
    ['rows', 50, 1, 1],
    ['bytes', 1, 10_000, 1],
  ])(
    'pending writes are bounded by %s: more are refused until some are stored, whatever their key',
    async (_what, rows, bytes, more) => {
      const { groups, send, settled, results } = stage()
      void send('a', batch('1', rows, bytes))
      void send('b', batch('2', more, more))
      await settled()
      expect(results).toEqual([expect.stringContaining('2: The queue of reports is full')])
      groups[0]?.end()
      await settled()
      void send('b', batch('3'))
      groups[1]?.end()
      await settled()
      expect(results.slice(1)).toEqual(['1', '3'])
    },
  )

  it.each<[string, [number, number], [number, number]]>([
    ['rows', [20, 1], [6, 1]],
    ['bytes', [1, 4_000], [1, 1_001]],
  ])(
    'pending writes of one key are bounded by %s to half of the queue, so that others have the other half',
    async (_what, first, more) => {
      const { groups, send, settled, results } = stage()
      void send('a', batch('1', ...first))
      void send('a', batch('2', ...more))
      void send('b', batch('3', ...more))
      await settled()
      expect(results).toEqual([expect.stringContaining('2: The queue of reports is full')])
      groups[0]?.end()
      await settled()
      void send('a', batch('4', ...more))
      await settled()
      groups[1]?.end()
      groups[2]?.end()
      await settled()
      expect(results.slice(1).sort()).toEqual(['1', '3', '4'])
    },
  )
})
