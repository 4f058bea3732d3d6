/** What this instance measures of itself, for Prometheus. Every name gets the prefix `burgee_`. */
export interface Metrics {
  /** Gives the function that records one duration in seconds. */
  histogram<L extends string>(
    metric: Metric<L> & { readonly buckets: readonly number[] },
  ): (labels: Labels<L>, seconds: number) => void
  /** Gives the function that counts on; `from` are the label values that are shown as 0 before anything was counted. */
  counter<L extends string>(
    metric: Metric<L> & { readonly from: readonly Labels<L>[] },
  ): (labels: Labels<L>, by: number) => void
  /** Read anew for each scrape; a metric whose `read` fails is left out of it. */
  collected<L extends string>(
    metric: Metric<L> & { readonly type: 'gauge' | 'counter' },
    read: () => Iterable<Reading<L>> | Promise<Iterable<Reading<L>>>,
  ): void
  /** Everything in the Prometheus text format. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>
}

interface Metric<L extends string> {
  /** Without the prefix; ends with its unit, and with `_total` where it is a counter. */
  readonly name: string
  readonly help: string
  readonly labels: readonly L[]
}

type Labels<L extends string> = Readonly<Record<L, string>>

interface Reading<L extends string> {
  readonly labels: Labels<L>
  readonly value: number
}

const PREFIX = 'burgee_'

/** `isServed`: the metrics can be read. Where they cannot, recording costs nothing, and nothing is loaded for it. */
export async function createMetrics({ isServed }: { readonly isServed: boolean }): Promise<Metrics> {
  if (!isServed) return NOT_SERVED
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const describe = <L extends string>({ help, labels, name }: Metric<L>) => ({
    name: PREFIX + name,
    help,
    labelNames: labels,
    registers: [registry],
  })
  return {
    histogram({ buckets, ...metric }) {
      const histogram = new Histogram({ ...describe(metric), buckets: [...buckets] })
      return (labels, seconds) => histogram.observe(labels, seconds)
    },
    counter({ from, ...metric }) {
      const counter = new Counter(describe(metric))
      for (const labels of from) counter.inc(labels, 0)
      return (labels, by) => counter.inc(labels, by)
    },
    collected({ type, ...metric }, read) {
      const gauge = type === 'gauge' ? new Gauge(collecting()) : null
      const counter = type === 'counter' ? new Counter(collecting()) : null

      function collecting() {
        return { ...describe(metric), collect }
      }
      async function collect(): Promise<void> {
        const readings = await readAll(read)
        // In one turn, so that two scrapes at once do not mix.
        gauge?.reset()
        counter?.reset()
        for (const { labels, value } of readings) {
          gauge?.set(labels, value)
          counter?.inc(labels, value)
        }
      }
    },
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}

const nothing = () => undefined

const NOT_SERVED: Metrics = {
  histogram: () => nothing,
  counter: () => nothing,
  collected: nothing,
  render: async () => ({ contentType: 'text/plain; charset=utf-8', text: '' }),
}

async function readAll<T>(read: () => Iterable<T> | Promise<Iterable<T>>): Promise<Iterable<T>> {
  try {
    return await read()
  } catch {
    return []
  }
}
