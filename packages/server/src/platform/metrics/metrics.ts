/** The metrics of this instance for Prometheus. Every name gets the prefix `burgee_`. */
export interface Metrics {
  /** Creates a histogram. Returns the function that records one duration in seconds. */
  histogram<L extends string>(
    metric: Metric<L> & { readonly buckets: readonly number[] },
  ): (labels: Labels<L>, seconds: number) => void
  /**
   * Creates a counter. Returns the function that increments it. `from` are the label values that show 0
   * before anything was counted.
   */
  counter<L extends string>(
    metric: Metric<L> & { readonly from: readonly Labels<L>[] },
  ): (labels: Labels<L>, by: number) => void
  /** Registers metrics that are read for each scrape. A metric whose `read` fails is left out. */
  collected<L extends string>(
    metric: Metric<L> & { readonly type: 'gauge' | 'counter' },
    read: () => Iterable<Reading<L>> | Promise<Iterable<Reading<L>>>,
  ): void
  /** Formats all metrics in the Prometheus text format. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>
}

interface Metric<L extends string> {
  /** The name without the prefix. It ends with its unit, and with `_total` for a counter. */
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

/**
 * Creates the metrics. With `isServed` false they cannot be read, recording costs nothing and no library is
 * loaded.
 */
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
        // In one turn, so that two concurrent scrapes do not mix.
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
