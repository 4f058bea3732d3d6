import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { streamJsonList } from '../../../../src/platform/replies/stream-json.ts'

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}

/** Returns items that count how many were taken, and whether their source was stopped. */
function watchedItems() {
  const seen = { taken: 0, ended: false }
  async function* items() {
    try {
      for (;;) {
        seen.taken += 1
        yield { item: seen.taken }
        await nextTurn()
      }
    } finally {
      seen.ended = true
    }
  }
  return { seen, items: items() }
}

describe('a JSON list that is streamed', () => {
  it.each([0, 1, 2, 45])('a streamed list equals one that is written at once: %i items', async (length) => {
    const items = Array.from({ length }, (_, id) => ({ id, text: '",[]{}\u2028😀', nothing: null }))
    expect(await textOf(streamJsonList(items))).toBe(JSON.stringify(items))
    const wrap = { before: '{"results":', after: '}' }
    expect(await textOf(streamJsonList(items, wrap))).toBe(JSON.stringify({ results: items }))
  })

  it('a streamed list reads an item only when its reader does', async () => {
    const { items, seen } = watchedItems()
    const stream = streamJsonList(items)
    await nextTurn()
    expect(seen.taken).toBe(0)
    const reader = stream[Symbol.asyncIterator]()
    await reader.next()
    await nextTurn()
    expect(seen.taken).toBeLessThan(5)
    await reader.return?.()
  })

  it('a streamed list stops its source when its reader stops', async () => {
    const { items, seen } = watchedItems()
    for await (const _ of streamJsonList(items)) break
    await nextTurn()
    expect(seen.ended).toBe(true)
  })

  it('a streamed list reads no item when it is destroyed unread', async () => {
    const { items, seen } = watchedItems()
    streamJsonList(items).destroy()
    await nextTurn()
    expect(seen).toEqual({ taken: 0, ended: false })
  })

  it('a streamed list fails when its source fails, so that its start is not taken for the whole', async () => {
    async function* items() {
      yield 1
      throw new Error('away')
    }
    await expect(textOf(streamJsonList(items()))).rejects.toThrow('away')
  })
})
