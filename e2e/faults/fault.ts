import type { Stage } from '../harness/open-stage.ts'

/** `short` runs within the tests in a few seconds; `full` is what `npm run faults` measures for docs/faults.md. */
export type FaultScale = 'short' | 'full'

/** One row of docs/faults.md: something that is done to a running server, and what the server promises meanwhile. */
export interface Fault {
  /** The topic that groups rows of the table. */
  readonly group: 'connections' | 'bodies' | 'reports' | 'reads' | 'credentials' | 'crashes' | 'dependencies'
  /** What is done, as a noun phrase that stands alone: "A second request on the connection of a stream". */
  readonly title: string
  /** What the server does meanwhile, as a sentence. */
  readonly promise: string
  /** Does it against the built server. The stage ends every process that the run starts. */
  run(stage: Stage, scale: FaultScale): Promise<FaultResult>
}

interface FaultResult {
  /** How often it was done, with its unit: "1,000 kills". */
  readonly times: string
  /** What was observed, with figures: "0 lost, 0 torn; restart p99 640 ms". */
  readonly seen: string
  /** One sentence for each part of the promise that was broken; empty when the promise was kept. */
  readonly broken: readonly string[]
  /** Why it cannot be done on this machine. Nothing else of the result counts then. */
  readonly skipped?: string
}
