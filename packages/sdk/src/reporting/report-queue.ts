/** What waits to be sent, in memory and bounded. */
export interface ReportQueue {
  readonly size: number
  /** How many were not taken: the queue was full, or they were not fit to be sent. */
  readonly dropped: number
  /** Removes the oldest, at most a batch, each as JSON. */
  take(): string[]
}

export interface QueueOptions {
  /** How many may wait. */
  readonly limit: number
  /** How many are taken at once. */
  readonly batchSize: number
  /** Called when there is something to take, and when there is a full batch. */
  readonly onRecord: (isFull: boolean) => void
}
