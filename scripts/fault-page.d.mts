export interface FaultRow {
  readonly name: string
  readonly group: string
  readonly title: string
  readonly promise: string
}

export interface MeasuredRow extends FaultRow {
  /** The number of runs; empty when the row has never run. */
  readonly times: string
  readonly seen: string
  /** The day of the run, `2025-01-31`; empty when it has never run. */
  readonly date: string
}

export interface FaultPage {
  /** The sentence about the machine and the day of the last run; empty before the first. */
  readonly machine: string
  readonly rows: readonly MeasuredRow[]
}

export interface FaultReport extends FaultRow {
  readonly times: string
  readonly seen: string
  readonly broken: readonly string[]
  readonly skipped?: string
}

export declare function renderFaultPage(page: FaultPage): string

export declare function readFaultPage(text: string): FaultPage

export declare function addReports(
  page: FaultPage,
  rows: readonly FaultRow[],
  reports: readonly FaultReport[],
  date: string,
): readonly MeasuredRow[]
