/** Optional details of a goal event. */
export interface GoalDetail {
  /** Revenue, a count or a duration. Only finite numbers are kept. */
  readonly value?: number | null | undefined
  readonly context?: Readonly<Record<string, unknown>> | null | undefined
}
