import type { Stage } from '../harness/open-stage.ts'

/**
 * The scale of a run: `short` takes a few seconds within the tests; `full` is what `npm run faults` measures
 * for docs/faults.md.
 */
export type FaultScale = 'short' | 'full'

/** A row of docs/faults.md: a fault that a running server gets, and what the server promises meanwhile. */
export interface Fault {
  /** The topic that groups rows of the table. */
  readonly group: 'connections' | 'bodies' | 'reports' | 'reads' | 'credentials' | 'crashes' | 'dependencies'
  /** The fault, as a noun phrase that can be read alone: "A second request on the connection of a stream". */
  readonly title: string
  /** The promise of the server, as a sentence. */
  readonly promise: string
  /** Runs the fault against the built server. The stage ends every process that the run starts. */
  run(stage: Stage, scale: FaultScale): Promise<FaultResult>
}

interface FaultResult {
  /** The number of repetitions with its unit: "1,000 kills". */
  readonly times: string
  /** The observation with figures: "0 lost, 0 stored in part; restart p99 640 ms". */
  readonly seen: string
  /** One sentence for each broken part of the promise; empty when it was kept. */
  readonly broken: readonly string[]
  /** The reason why the row cannot run on this machine. The rest of the result is then ignored. */
  readonly skipped?: string
}
