import { expect, it } from 'vitest'

type Row = Readonly<Record<string, unknown>>
interface History {
  readonly seedHistory: (options: {
    readonly call: (method: string, path: string, body?: Row | readonly Row[]) => Promise<unknown>
    readonly flags: readonly Row[]
    readonly print: (percent: number) => void
  }) => Promise<void>
  readonly EXPERIMENT_FLAGS: readonly Row[]
}

/** An environment that accepts so many batches before the demo is interrupted. */
function openEnvironment() {
  const experiments = new Map<string, Row>()
  const stored: Record<string, Row[]> = { impressions: [], events: [] }
  const totalsOf = (path: string, field: string) => {
    const totals = new Map<unknown, number>()
    for (const row of stored[path] ?? []) totals.set(row[field], (totals.get(row[field]) ?? 0) + 1)
    return [...totals].map(([key, total]) => ({ [field]: key, total }))
  }
  const environment = { experiments, stored, batchesLeft: Number.POSITIVE_INFINITY, call }
  async function call(method: string, path: string, body?: Row | readonly Row[]): Promise<unknown> {
    if (path === 'impressions/stats') return totalsOf('impressions', 'flag_key')
    if (path === 'events/keys') return totalsOf('events', 'event_key')
    if (method === 'GET') return experiments.get(path.replace('experiments/', '')) ?? null
    if (path === 'experiments') {
      const created = { ...body, created_at: '2026-06-15T12:00:00.000Z' } as Row
      experiments.set(String(created.key), created)
      return created
    }
    environment.batchesLeft -= 1
    if (environment.batchesLeft < 0) throw new Error('interrupted')
    stored[path]?.push(...(body as readonly Row[]))
    return {}
  }
  return environment
}

it('an interrupted history of the demo is completed without duplicates', async () => {
  const address = new URL('../examples/demo/history.mjs', import.meta.url).href
  const { EXPERIMENT_FLAGS, seedHistory } = (await import(address)) as History
  const print = () => undefined
  const whole = openEnvironment()
  await seedHistory({ call: whole.call, flags: EXPERIMENT_FLAGS, print })
  const interrupted = openEnvironment()
  for (const batchesLeft of [7, 1, 50]) {
    interrupted.batchesLeft = batchesLeft
    const seeding = seedHistory({ call: interrupted.call, flags: EXPERIMENT_FLAGS, print })
    await expect(seeding).rejects.toThrow('interrupted')
  }
  interrupted.batchesLeft = Number.POSITIVE_INFINITY
  await seedHistory({ call: interrupted.call, flags: EXPERIMENT_FLAGS, print })

  const contentOf = ({ stored }: typeof whole) =>
    Object.values(stored).map((rows) => rows.map((row) => JSON.stringify(row)).sort())
  expect(contentOf(whole)[0]?.length).toBeGreaterThan(1_000)
  expect(contentOf(interrupted)).toEqual(contentOf(whole))
  expect([...interrupted.experiments.keys()]).toEqual([...whole.experiments.keys()])
})
