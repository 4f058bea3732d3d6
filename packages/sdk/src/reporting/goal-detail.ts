/** What is known of a goal beyond who reached it. */
export interface GoalDetail {
  /** Revenue, count, duration. Only finite numbers are kept. */
  readonly value?: number | null | undefined
  readonly context?: Readonly<Record<string, unknown>> | null | undefined
}
