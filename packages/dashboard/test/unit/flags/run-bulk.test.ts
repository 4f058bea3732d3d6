import { BULK_KEYS_MAX, type BulkInput } from '@burgee/contract'
import { expect, test } from 'vitest'
import { overrideBlocked, runBulk } from '../../../src/features/flags/list/bulk/run-bulk.ts'

const keys = (amount: number) => Array.from({ length: amount }, (_, index) => `flag-${index}`)
const succeed = async (part: BulkInput) => ({ results: part.keys.map((key) => ({ key, status: 200 })) })
const NEVER = new AbortController().signal

test('more flags than one call takes go in several, and progress is told after each', async () => {
  const sent: number[] = []
  const progress: number[] = []

  const report = await runBulk({
    input: { action: 'enable', keys: keys(BULK_KEYS_MAX + 50) },
    send: (part) => {
      sent.push(part.keys.length)
      return succeed(part)
    },
    onPart: (_, finished) => progress.push(finished),
    signal: NEVER,
  })

  expect(report.done).toHaveLength(BULK_KEYS_MAX + 50)
  expect(Math.max(...sent)).toBeLessThanOrEqual(BULK_KEYS_MAX)
  expect(progress).toHaveLength(sent.length)
  expect(progress.at(-1)).toBe(BULK_KEYS_MAX + 50)
})

test('each flag is told apart: done, waiting for approval, refused with the reason', async () => {
  const report = await runBulk({
    input: { action: 'delete', keys: ['done', 'waiting', 'gone'] },
    send: async () => ({
      results: [
        { key: 'done', status: 204 },
        { key: 'waiting', status: 202 },
        { key: 'gone', status: 404, error: 'No such flag.' },
      ],
    }),
    onPart: () => {},
    signal: NEVER,
  })

  expect(report).toEqual({
    done: ['done'],
    waiting: ['waiting'],
    refused: [{ key: 'gone', reason: 'No such flag.' }],
    untouched: [],
  })
})

test('a call that fails ends the run, and what was not tried is listed', async () => {
  let calls = 0
  const report = await runBulk({
    input: { action: 'disable', keys: keys(350) },
    send: (part) => {
      calls += 1
      if (calls === 2) throw new Error('The server cannot be reached.')
      return succeed(part)
    },
    onPart: () => {},
    signal: NEVER,
  })

  expect(report.done).toHaveLength(100)
  expect(report.refused).toHaveLength(100)
  expect(report.refused[0]).toEqual({ key: 'flag-100', reason: 'The server cannot be reached.' })
  expect(report.untouched).toHaveLength(150)
})

test('who stops it keeps what is done', async () => {
  const stop = new AbortController()
  const report = await runBulk({
    input: { action: 'archive', keys: keys(300) },
    send: succeed,
    onPart: () => stop.abort(),
    signal: stop.signal,
  })

  expect(report.done).toHaveLength(100)
  expect(report.untouched).toHaveLength(200)
})

const blocking = { key: 'one', enforcement: 'block' as const, verdict: 'violated' as const, why: 'why' }
const refused = [
  { key: 'blocked', reason: 'It violates one.', violations: [blocking] },
  { key: 'gone', reason: 'No such flag.' },
]

test('flags that invariants block are sent once more with a reason, and no others', async () => {
  const report = await overrideBlocked(
    { done: ['done'], waiting: [], refused, untouched: [] },
    {
      ask: async (violations) => {
        expect(violations).toEqual([blocking])
        return 'Agreed'
      },
      perform: async (again, reason) => {
        expect({ again, reason }).toEqual({ again: ['blocked'], reason: 'Agreed' })
        return { done: again, waiting: [], refused: [], untouched: [] }
      },
    },
  )
  expect(report).toEqual({
    done: ['done', 'blocked'],
    waiting: [],
    refused: [{ key: 'gone', reason: 'No such flag.' }],
    untouched: [],
  })
})

test('without a reason flags that invariants block stay refused', async () => {
  const report = { done: [], waiting: [], refused, untouched: [] }
  const perform = () => Promise.reject(new Error('nothing is sent'))
  expect(await overrideBlocked(report, { ask: async () => null, perform })).toBe(report)
})
