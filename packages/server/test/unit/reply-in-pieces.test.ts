import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { fastify } from 'fastify'
import { expect, test, vi } from 'vitest'
import { holdLease } from '../../src/http/responses/hold-lease.ts'
import { replyInPieces } from '../../src/insight/evaluate/reply-in-pieces.ts'
import { createAnalyses } from '../../src/platform/concurrency/analyses.ts'
import { createResponseBudget } from '../../src/platform/concurrency/response-budget.ts'

const MIB = 1024 * 1024
const clock = { now: () => new Date(), monotonicMs: () => 0 }
const list = { before: '{"items":[', after: ']}' }

function* texts(count: number, failAt = Number.POSITIVE_INFINITY): Generator<string> {
  for (let at = 0; at < count; at += 1) {
    if (at === failAt) throw new Error('the set is broken')
    yield JSON.stringify({ at, text: 'x'.repeat(1_000) })
  }
}

/** Serves a list as endpoints serve an encoded response. */
async function serve(
  items: Generator<string>,
  { build = async () => items, heldBytes = 0, canBuildAgain = true, maxBytes = 2 * MIB } = {},
) {
  const budget = createResponseBudget({ clock }, { maxBytes })
  const app = fastify()
  app.get('/', async (_request, reply) => {
    const { bytes, lease } = await replyInPieces(budget, async () => ({
      ...list,
      items: await build(),
      heldBytes,
      canBuildAgain,
      onPause: () => undefined,
    }))
    if (lease) holdLease(reply, lease, bytes instanceof Readable ? null : bytes.length)
    return reply.type('application/json').send(bytes)
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, budget, url }
}

test('a short list is one piece without memory of the budget', async () => {
  const { app, budget, url } = await serve(texts(3))
  const answer = await fetch(url)
  expect(answer.headers.get('content-length')).not.toBeNull()
  expect((await answer.json()).items).toHaveLength(3)
  expect(budget.inUse()).toBe(0)
  await app.close()
})

test('a long list takes one MiB of the budget while it is sent, however long it is', async () => {
  const { app, budget, url } = await serve(texts(20_000))
  const answer = await fetch(url)
  expect(answer.headers.get('transfer-encoding')).toBe('chunked')
  expect(budget.inUse()).toBe(MIB)
  expect((await answer.json()).items).toHaveLength(20_000)
  await vi.waitFor(() => expect(budget.inUse()).toBe(0))
  await app.close()
})

test('what the items of a long list hold counts until they were sent', async () => {
  const { app, budget, url } = await serve(texts(20_000), { heldBytes: MIB / 4 })
  const answer = await fetch(url)
  expect(budget.inUse()).toBe(1.25 * MIB)
  expect((await answer.json()).items).toHaveLength(20_000)
  await vi.waitFor(() => expect(budget.inUse()).toBe(0))
  await app.close()
})

test('one response takes at most a quarter of the budget for what it holds', async () => {
  const { app, budget, url } = await serve(texts(20_000), { heldBytes: 100 * MIB, maxBytes: 8 * MIB })
  const answer = await fetch(url)
  expect(budget.inUse()).toBe(3 * MIB)
  await answer.text()
  await app.close()
})

test('a list of an analysis takes memory after its place, and is kept while it waits for that', async () => {
  const analyses = createAnalyses()
  let builds = 0
  const { app, budget, url } = await serve(texts(0), {
    build: () =>
      analyses.run('ann', async () => {
        builds += 1
        return texts(2_000)
      }),
    canBuildAgain: false,
  })
  const all = await budget.take(2 * MIB)
  const answers = [fetch(url), fetch(url)]
  await vi.waitFor(() => expect(builds).toBe(2))
  const refused = await Promise.race(answers)
  expect(refused.status).toBe(500)
  // The caller's next analyses do not wait for memory, and the memory does not wait for them.
  let endAnalysis = (): void => undefined
  const busy = analyses.run('ann', () => new Promise<void>((resolve) => (endAnalysis = resolve)))
  all.release()
  const statuses = await Promise.all(answers.map(async (answer) => (await answer).status))
  expect(statuses.sort()).toEqual([200, 500])
  endAnalysis()
  await busy
  expect(builds).toBe(2)
  await vi.waitFor(() => expect(budget.inUse()).toBe(0))
  await app.close()
})

test('nothing is reserved while a list waits for an analysis', async () => {
  const analyses = createAnalyses()
  let endAnalysis = (): void => undefined
  const busy = analyses.run('ann', () => new Promise<void>((resolve) => (endAnalysis = resolve)))
  const build = vi.fn(() => analyses.run('ann', async () => texts(2_000)))
  const { app, budget, url } = await serve(texts(0), { build, canBuildAgain: false })
  const answer = fetch(url)
  await vi.waitFor(() => expect(build).toHaveBeenCalledTimes(1))
  expect(budget.inUse()).toBe(0)
  endAnalysis()
  await busy
  expect((await (await answer).json()).items).toHaveLength(2_000)
  await app.close()
})

test('a long list that has to wait for memory is built again, and whole', async () => {
  let builds = 0
  const { app, budget, url } = await serve(texts(0), {
    build: async () => {
      builds += 1
      return texts(2_000)
    },
  })
  const all = await budget.take(2 * MIB)
  const answer = fetch(url)
  await vi.waitFor(() => expect(builds).toBe(1))
  expect(budget.inUse()).toBe(2 * MIB)
  all.release()
  expect((await (await answer).json()).items).toHaveLength(2_000)
  expect(builds).toBe(2)
  await app.close()
})

test('a reader that stops holds up the items', async () => {
  let made = 0
  const items = (function* () {
    for (const text of texts(50_000)) {
      made += 1
      yield text
    }
  })()
  const { app, budget, url } = await serve(items)
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause()
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  let before = -1
  await vi.waitFor(
    () => {
      const isStill = made > 0 && made === before
      before = made
      expect(isStill).toBe(true)
    },
    { interval: 200, timeout: 10_000 },
  )
  expect(made).toBeLessThan(40_000)
  socket.destroy()
  await vi.waitFor(() => expect(budget.inUse()).toBe(0))
  await app.close()
})

test('an error after the first byte cuts the connection, so that nobody takes the part for the whole', async () => {
  const { app, budget, url } = await serve(texts(1_000, 500))
  const answer = await fetch(url)
  expect(answer.status).toBe(200)
  await expect(answer.text()).rejects.toThrow()
  await vi.waitFor(() => expect(budget.inUse()).toBe(0))
  await app.close()
})
