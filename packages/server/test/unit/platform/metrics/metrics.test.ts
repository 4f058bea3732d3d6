import { expect, test } from 'vitest'
import { createMetrics } from '../../../../src/platform/metrics/metrics.ts'

const GAUGE = { name: 'depth', help: 'How deep.', type: 'gauge', labels: ['queue'] } as const

test('a metric that cannot be read is left out, without affecting the others', async () => {
  const metrics = await createMetrics({ isServed: true })
  metrics.collected(GAUGE, () => Promise.reject(new Error('no database')))
  metrics.collected({ ...GAUGE, name: 'height' }, () => [{ labels: { queue: 'q' }, value: 3 }])

  const { text } = await metrics.render()

  expect(text).toContain('burgee_height{queue="q"} 3')
  expect(text).not.toMatch(/^burgee_depth/m)
})

test('a label value that does not exist any more is removed from the metrics', async () => {
  const metrics = await createMetrics({ isServed: true })
  let queues = ['a', 'b']
  metrics.collected(GAUGE, () => queues.map((queue) => ({ labels: { queue }, value: 1 })))
  expect((await metrics.render()).text).toContain('burgee_depth{queue="b"} 1')

  queues = ['a']

  expect((await metrics.render()).text).not.toContain('queue="b"')
})

test('concurrent scrapes do not mix', async () => {
  const metrics = await createMetrics({ isServed: true })
  metrics.collected({ ...GAUGE, name: 'work_total', type: 'counter' }, async () => [
    { labels: { queue: 'q' }, value: 5 },
  ])

  const texts = await Promise.all([metrics.render(), metrics.render()])

  for (const { text } of texts) expect(text).toContain('burgee_work_total{queue="q"} 5')
})

test('nothing is recorded when metrics are not served', async () => {
  const metrics = await createMetrics({ isServed: false })
  metrics.histogram({ ...GAUGE, buckets: [1] })({ queue: 'q' }, 1)
  metrics.counter({ ...GAUGE, from: [{ queue: 'q' }] })({ queue: 'q' }, 1)
  metrics.collected(GAUGE, () => [{ labels: { queue: 'q' }, value: 1 }])

  expect((await metrics.render()).text.trim()).toBe('')
})

test('counters and histograms show what was recorded', async () => {
  const metrics = await createMetrics({ isServed: true })
  const record = metrics.histogram({ ...GAUGE, name: 'took_seconds', buckets: [0.1, 1] })
  const count = metrics.counter({ ...GAUGE, name: 'rows_total', from: [{ queue: 'q' }, { queue: 'r' }] })
  record({ queue: 'q' }, 0.5)
  count({ queue: 'q' }, 3)

  const { text } = await metrics.render()

  expect(text).toContain('burgee_took_seconds_bucket{le="0.1",queue="q"} 0')
  expect(text).toContain('burgee_took_seconds_bucket{le="1",queue="q"} 1')
  expect(text).toContain('burgee_took_seconds_sum{queue="q"} 0.5')
  expect(text).toContain('burgee_rows_total{queue="q"} 3')
  expect(text).toContain('burgee_rows_total{queue="r"} 0')
})
